package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.zk.model.ModelReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables in {@code docs/design.md} name every action and guard of the models, every rule of versions, of copies and
 * of IDs after others, and only code and tests that exist; so do that of waits and that of what to open for a change.
 */
class ModelMapTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final Path MODELS = Path.of("src/test/resources/model");
    private static final String DESIGN = text(REPOSITORY.resolve("docs/design.md"));
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern MEMBER = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
    private static final Pattern STRESS = Pattern.compile("`(\\w+Stress)`");
    private static final Pattern FILE = Pattern.compile(
            "`((core|hibernate|zk|dropwizard|spring|service|bin|conformance|config|docs|verification)/[^` ]+)`(: `(\\w+)`)?");

    /** The models say it; the page repeats it, row by row. */
    @ParameterizedTest
    @CsvSource({"action, SlotLease,", "action of eras, Eras, SlotLease", "action of a sequence, TickSequence,"})
    void shouldSayOfEveryActionWhatItIsInTheCode(String table, String name, @Nullable String extended) {
        Set<String> known = extended == null
                ? Set.of()
                : ModelReader.read(extended).actions().keySet();
        List<String> actions = ModelReader.read(name).actions().values().stream()
                .filter(action -> !known.contains(action.name()))
                .map(action -> "| `" + action.name() + "` | " + action.code() + " |")
                .toList();

        assertEquals(actions, rows(table));
    }

    @ParameterizedTest
    @CsvSource({"guard, SlotLease", "guard of a sequence, TickSequence"})
    void shouldNameEveryGuardOfTheModel(String table, String name) {
        assertEquals(new TreeSet<>(ModelReader.read(name).guards()), firstCells(table));
    }

    /** A row may have several. */
    @Test
    void shouldNameEveryGuardOfABackup() {
        Set<String> named = rows("guard of a backup").stream()
                .flatMap(row -> QUOTED.matcher(row.split("\\|", -1)[1]).results())
                .map(guard -> guard.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(ModelReader.read("Backup").guards()), named);
    }

    /** Two models are about generations, and name their guards alike. */
    @Test
    void shouldNameEveryActionAndGuardOfGenerations() {
        String model = text(MODELS.resolve("Generations.tla"));
        Pattern action = Pattern.compile("\\b([A-Z][a-z]\\w+)(?=\\(| |\\n)");
        assertEquals(
                found(action, between(model, "\nNext ==", "\nSpec =="), "Slots", "Tenures"),
                firstCells("action on generations"));

        Set<String> guards = found(Pattern.compile("\"(\\w+)\""), between(model, "\nGuards ==", "\nASSUME"));
        guards.addAll(ModelReader.read("Eras").guards());
        assertEquals(guards, firstCells("guard of generations"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "action",
                "guard",
                "action of eras",
                "action of a sequence",
                "guard of a sequence",
                "action on generations",
                "guard of generations",
                "guard of a backup",
                "rule of versions",
                "rule of copies",
                "rule of IDs after others",
                "what waits"
            })
    void shouldNameOnlyWhatExists(String table) {
        String rows = String.join("\n", rows(table));
        MEMBER.matcher(rows).results().forEach(member -> {
            String named = "(?s).*[ >]" + member.group(2) + "[ (<].*";
            assertTrue(
                    sources(member.group(1) + ".java").stream()
                            .anyMatch(file -> text(file).matches(named)),
                    member::group);
        });
        STRESS.matcher(rows)
                .results()
                .forEach(
                        stress -> assertFalse(sources(stress.group(1) + ".java").isEmpty(), stress::group));
    }

    @Test
    void shouldNameATestForEveryGuard() {
        Stream.of(
                        "guard",
                        "guard of a sequence",
                        "guard of generations",
                        "guard of a backup",
                        "rule of versions",
                        "rule of copies",
                        "rule of IDs after others")
                .flatMap(table -> rows(table).stream())
                .forEach(row -> assertTrue(
                        row.matches(".*`(\\w+Test\\.should\\w+|\\w+Stress)`.*|.*\\| none: it is assumed \\|"), row));
    }

    @Test
    void shouldNameOnlyFilesThatExistWithWhatIsInThem() {
        List<MatchResult> named = FILE.matcher(DESIGN).results().toList();
        assertTrue(named.size() > 100, () -> named.size() + " files");
        named.forEach(file -> assertTrue(
                Stream.of("java", "resources")
                        .map(kind -> file(file.group(2), file.group(1), kind))
                        .filter(Files::exists)
                        .anyMatch(path -> file.group(4) == null || text(path).contains(file.group(4))),
                file::group));
    }

    /** A path that begins with the name of a module is below that module's packages. */
    private static Path file(String first, String path, String kind) {
        Path module = REPOSITORY.resolve("allocator-" + (first.equals("spring") ? "spring-boot-starter" : first));
        return Files.isDirectory(module)
                ? module.resolve("src/main/" + kind + "/org/idallocator/" + path)
                : REPOSITORY.resolve(path);
    }

    private static Set<String> firstCells(String table) {
        return rows(table).stream()
                .map(row ->
                        QUOTED.matcher(row).results().findFirst().orElseThrow().group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The rows of the table whose first column has this heading. */
    private static List<String> rows(String table) {
        return DESIGN.lines()
                .dropWhile(line -> !line.startsWith("| " + table + " |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    private static Set<String> found(Pattern pattern, String text, String... but) {
        Set<String> found = pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        found.removeAll(Set.of(but));
        return found;
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }

    private static List<Path> sources(String file) {
        return Stream.of("allocator-core/src", "allocator-zk/src", "verification/jcstress/src")
                .map(REPOSITORY::resolve)
                .flatMap(ModelMapTest::files)
                .filter(path -> path.endsWith(file))
                .toList();
    }

    private static Stream<Path> files(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        return assertDoesNotThrow(() -> Files.readString(file));
    }
}
