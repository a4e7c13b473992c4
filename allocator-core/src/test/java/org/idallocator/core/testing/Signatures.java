package org.idallocator.core.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What programs use of an artifact: {@code signatures.txt} beside its POM. A line that is not indented names a type;
 * those below it say what the type is, and has. What comes from types of others, such as the JDK, is left out: so the
 * list is the same on each JDK.
 *
 * <p>This is code of our own because no tool does it. japicmp 0.27 and Revapi 0.15 compare an artifact with a released
 * one, and nothing is released yet; neither knows what a sealed type permits. sigtest-maven-plugin 2.6 writes a list,
 * but reads no class with annotations on types, such as {@code @Nullable}: it lists {@code IdGenerator} without its
 * methods, and passes whatever becomes of them.
 */
public final class Signatures {
    private static final String FILE = "signatures.txt";
    private static final String OURS = "org.idallocator.";
    private static final Pattern TYPE = Pattern.compile("\\borg\\.idallocator\\.[\\w.$]+");

    /** Newer JDKs say this, too: {@code permits} says it on each. */
    private static final Pattern SEALED = Pattern.compile("\\b(non-)?sealed ");

    private static final String INDENT = "    ";

    private Signatures() {}

    /** The full names of the types that a module lists, without those within others. */
    public static Set<String> types(Path module) {
        return types(text(module.resolve(FILE)));
    }

    private static Set<String> types(String listed) {
        return listed.lines()
                .filter(line -> !line.startsWith(INDENT))
                .map(Signatures::name)
                .filter(name -> !name.contains("$"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(String line) {
        return TYPE.matcher(line)
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no type: " + line));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Fails unless the types of the module whose tests run have what its list says: what is gone breaks programs, and
     * what is new becomes a promise, which is written down.
     */
    public static void assertKept() throws IOException {
        Path module = Path.of("").toAbsolutePath();
        String listed = text(module.resolve(FILE));
        String found = found(types(listed));
        Files.writeString(Files.createDirectories(module.resolve("target")).resolve(FILE), found);
        if (!found.equals(listed)) {
            fail(difference(listed, found)
                    + "If that is meant, copy target/%1$s over %1$s, in %2$s.".formatted(FILE, module.getFileName()));
        }
    }

    /** The list of these types, as they are; without those that are not there. */
    static String found(Collection<String> types) {
        return types.stream()
                .sorted()
                .flatMap(Signatures::loaded)
                .flatMap(Signatures::of)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static Stream<Class<?>> loaded(String name) {
        try {
            return Stream.of(Class.forName(name, false, Signatures.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Stream.empty(); // what the list says of it is gone
        }
    }

    /** What two lists differ in, in words. */
    static String difference(String listed, String found) {
        Set<String> gone = whole(listed);
        Set<String> added = whole(found);
        gone.removeAll(whole(found));
        gone.removeAll(types(found)); // a name alone, by which a type is added
        added.removeAll(whole(listed));
        return "What programs use is not as listed.\n"
                + section(
                        "Gone, which breaks programs. Bring it back, or say in the commit's first line what breaks",
                        gone)
                + section(
                        "New, which is a promise from now on. A new abstract method breaks whoever implements it",
                        added)
                + (gone.isEmpty() && added.isEmpty() ? "The lines are in another order.\n" : "");
    }

    private static String section(String heading, Set<String> lines) {
        return lines.isEmpty() ? "" : heading + ":\n" + String.join("\n", lines).indent(INDENT.length());
    }

    /** Each line with the name of its type, because a member that is inherited is in the lines of several. */
    private static Set<String> whole(String list) {
        Set<String> lines = new LinkedHashSet<>();
        String type = "";
        for (String line : list.lines().toList()) {
            if (line.startsWith(INDENT)) {
                lines.add(type + ": " + line.strip());
            } else {
                type = name(line);
                lines.add(line);
            }
        }
        return lines;
    }

    /**
     * A type and those within it, each with what it inherits from types that programs do not see, and with what
     * programs override where they extend it. The compiler's bridges are there, too: compiled programs call them.
     */
    private static Stream<String> of(Class<?> type) {
        Stream<Class<?>> within = Arrays.stream(type.getDeclaredClasses())
                .filter(each -> isForPrograms(each.getModifiers()))
                .sorted(Comparator.comparing(Class::getName));
        return Stream.concat(lines(type), within.flatMap(Signatures::of));
    }

    private static Stream<String> lines(Class<?> type) {
        Stream<Member> seen =
                Stream.<Member[]>of(type.getMethods(), type.getFields()).flatMap(Arrays::stream);
        Stream<Member> own = Stream.<Member[]>of(
                        type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
                .flatMap(Arrays::stream);
        Stream<String> members = Stream.concat(seen, own)
                .filter(member -> isForPrograms(member.getModifiers()))
                .filter(member -> member.getDeclaringClass().getName().startsWith(OURS))
                .map(member -> member instanceof Executable code ? code.toGenericString() : member.toString());
        Stream<String> above = Stream.concat(
                        Stream.of(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .filter(Objects::nonNull)
                .map(parent -> "is " + parent.getTypeName());
        Stream<String> below = Stream.of(type)
                .filter(Class::isSealed)
                .flatMap(each -> Arrays.stream(each.getPermittedSubclasses()))
                .map(permitted -> "permits " + permitted.getName());
        return Stream.concat(
                Stream.of(SEALED.matcher(type.toGenericString()).replaceFirst("")),
                Stream.of(above, below, members)
                        .flatMap(each -> each)
                        .map(line -> INDENT + line)
                        .distinct()
                        .sorted());
    }

    private static boolean isForPrograms(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
