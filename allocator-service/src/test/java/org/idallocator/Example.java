package org.idallocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.SimpleJavaFileObject;

/**
 * Java code that a document shows, as a class that compiles. Its lines have the numbers that they have in the document.
 *
 * @param document the document's path below the root
 * @param line the line of the document at which the code begins
 * @param code the code, as people would copy it
 */
record Example(String document, int line, String code) {
    private static final List<String> SOURCES = List.of(
            "README.md", "docs", "allocator-core/src/main", "allocator-zk/src/main", "allocator-dropwizard/src/main");
    private static final Pattern IN_MARKDOWN = Pattern.compile("(?ms)^```java\n(.*?)^```$");
    private static final Pattern IN_JAVADOC = Pattern.compile("(?ms)^ *\\* <pre>\\{@code\n(.*?)^ *\\* \\}</pre>$");
    private static final Pattern MARKDOWN_BEGINS = Pattern.compile("``` *java");
    private static final Pattern JAVADOC_BEGINS = Pattern.compile("<pre>\\s*(\\*\\s*)?\\{@code");
    private static final Pattern MARGIN = Pattern.compile("(?m)^ *\\* ?");
    /** The variables that examples use without making them, and without which they do not run. */
    private static final Pattern BORROWED = Pattern.compile("\\b(allocator|coordinated|insert|row|settings)\\b");

    /** Those that other modules and other builds compile, which have what this module has not. */
    private static final Pattern OF_ANOTHER_BUILD =
            Pattern.compile("@TestConfiguration|import org\\.idallocator\\.hibernate\\.");

    /** What examples begin with that bring their imports: they get no others, and no variables. */
    private static final Pattern IMPORTS = Pattern.compile("(?m)\\A(^import .*;\n)+");

    /**
     * What a class of its own begins with: it becomes one within another, so that its name may come again elsewhere.
     */
    private static final Pattern CLASS = Pattern.compile("(?m)^public (?=class )");

    private static final String BEFORE_CLASS = " public class %s { public static void run() {}\n";
    private static final String BEFORE_WHOLE = " public class %s { public static void run() throws Exception {\n";
    private static final String ALL_IMPORTS = "import com.fasterxml.jackson.annotation.JsonProperty;"
            + " import jakarta.validation.Valid; import io.dropwizard.core.*; import io.dropwizard.core.setup.*; import java.sql.*;"
            + " import java.nio.ByteBuffer; import java.time.Duration; import java.time.Instant; import java.util.*; import java.util.concurrent.atomic.*; import java.util.stream.*; import org.idallocator.core.clock.*; import org.idallocator.core.fence.*;"
            + " import org.idallocator.core.generator.*; import org.idallocator.core.id.*;"
            + " import org.idallocator.core.scheme.*; import org.idallocator.core.testing.*;"
            + " import org.idallocator.dropwizard.*; import org.idallocator.dropwizard.config.*;"
            + " import org.idallocator.zk.*;"
            + " import org.idallocator.zk.settings.*;";
    private static final String BEFORE =
            " public class %s { static AllocatorSettings settings; static IdAllocator allocator; static IdSink sink ="
                    + " (high, low) -> {}; static PreparedStatement insert; static ResultSet row; static Sno sno; static Uid60"
                    + " uid60; static EightByteId eightByteId; static VolumeId volumeId; static int generatorId = 17; static int"
                    + " clusterId = 3; static void use(long high, long low) {} public static void run() throws Exception {\n";

    /** The examples of a document, in their order. */
    static List<Example> in(Path root, Path document) {
        String name = root.relativize(document).toString();
        try {
            return in(name, Files.readString(document));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws {@link IllegalArgumentException} where an example begins that is not laid out as they all are. */
    static List<Example> in(String document, String text) {
        boolean java = document.endsWith(".java");
        List<Example> found = (java ? IN_JAVADOC : IN_MARKDOWN)
                .matcher(text)
                .results()
                .map(each -> new Example(
                        document,
                        1 + (int) text.substring(0, each.start(1)).lines().count(),
                        java ? MARGIN.matcher(each.group(1)).replaceAll("") : each.group(1)))
                .toList();
        long begun = (java ? JAVADOC_BEGINS : MARKDOWN_BEGINS)
                .matcher(text)
                .results()
                .count();
        if (begun != found.size()) {
            throw new IllegalArgumentException(
                    document + " begins " + begun + " examples, readable are " + found.size());
        }
        return found;
    }

    /**
     * The examples of every document for people, and of every class that programs can use, but for those of another
     * build. The ones with Hibernate are among these: with Hibernate beside it, the service would validate otherwise
     * than it does. Those of docs/programs.md need other people's libraries: verification/recipes compiles them.
     */
    static List<Example> all(Path root) throws IOException {
        List<Example> all = new ArrayList<>();
        for (String source : SOURCES) {
            try (Stream<Path> files = Files.walk(root.resolve(source))) {
                files.filter(file -> file.toString().matches(".*\\.(md|java)") && !file.endsWith("docs/programs.md"))
                        .sorted()
                        .flatMap(file -> in(root, file).stream())
                        .filter(Example::isOfThisBuild)
                        .forEach(all::add);
            }
        }
        return all;
    }

    /** Whether the example is compiled here. */
    boolean isOfThisBuild() {
        return !OF_ANOTHER_BUILD.matcher(code).find();
    }

    /** Whether the example has all that it needs to run. */
    boolean runs() {
        return !BORROWED.matcher(code).find();
    }

    /** The name of the class, unique among examples. */
    String className() {
        return document.replaceAll("\\W", "_") + "_" + line;
    }

    SimpleJavaFileObject source() {
        String imports = IMPORTS.matcher(code)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining())
                .replace('\n', ' ');
        boolean declaresClass = CLASS.matcher(code).find();
        String before =
                imports.isEmpty() ? ALL_IMPORTS + BEFORE : imports + (declaresClass ? BEFORE_CLASS : BEFORE_WHOLE);
        String source = "\n".repeat(line - 2)
                + before.formatted(className())
                + CLASS.matcher(code.replaceAll("(?m)^import .*;$", "")).replaceAll("static ")
                + (declaresClass ? "}\n" : "}}\n");
        return new SimpleJavaFileObject(
                URI.create("example:/" + className() + ".java"), SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    @Override
    public String toString() {
        return document + ":" + line;
    }
}
