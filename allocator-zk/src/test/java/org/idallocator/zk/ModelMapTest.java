package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables in {@code docs/design.md} name every step and guard of the models, every rule of versions and of copies, and only code
 * and tests that exist; so does that of waits.
 */
class ModelMapTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final Path MODELS = Path.of("src/test/resources/model");
    private static final String DESIGN = text(REPOSITORY.resolve("docs/design.md"));
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern WAIT = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
    private static final Pattern MEMBER = Pattern.compile("([A-Z]\\w+)\\.([a-z]\\w+)");

    @ParameterizedTest
    @CsvSource({"SlotLease.tla, action", "Generations.tla, action on generations"})
    void shouldNameEveryActionOfTheModel(String module, String table) {
        String next = between(text(MODELS.resolve(module)), "\nNext ==", "\nSpec ==");
        Pattern action = Pattern.compile("\\b([A-Z][a-z]\\w+)(?=\\(| |\\n)");

        assertEquals(found(action, next, "Slots", "Tenures"), firstCells(table));
    }

    @ParameterizedTest
    @CsvSource({"SlotLease.tla, guard", "Generations.tla, guard of generations"})
    void shouldNameEveryGuardOfTheModel(String module, String table) {
        String guards = between(text(MODELS.resolve(module)), "\nGuards ==", "\nASSUME");

        assertEquals(found(Pattern.compile("\"(\\w+)\""), guards), firstCells(table));
    }

    @ParameterizedTest
    @MethodSource
    void shouldNameOnlyWhatExists(String type, String method) {
        List<Path> files = sources(type + ".java");

        assertTrue(!files.isEmpty(), () -> "no class " + type);
        assertTrue(
                files.stream().anyMatch(file -> text(file).matches("(?s).*[ >]" + method + "\\(.*")),
                () -> type + " has no method " + method);
    }

    static Stream<Object[]> shouldNameOnlyWhatExists() {
        return Stream.of(
                        "action",
                        "guard",
                        "action on generations",
                        "guard of generations",
                        "rule of versions",
                        "rule of copies")
                .flatMap(table -> rows(table).stream())
                .flatMap(row -> QUOTED.matcher(row).results())
                .map(quoted -> MEMBER.matcher(quoted.group(1)))
                .filter(member -> member.matches())
                .map(member -> new Object[] {member.group(1), member.group(2)});
    }

    @Test
    void shouldNameOnlyWaitsThatExist() {
        rows("what waits").stream()
                .flatMap(row -> WAIT.matcher(row).results())
                .forEach(wait -> assertTrue(
                        sources(wait.group(1) + ".java").stream()
                                .anyMatch(file -> text(file).matches("(?s).* " + wait.group(2) + "[ (].*")),
                        wait::group));
    }

    @Test
    void shouldNameATestForEveryGuard() {
        Stream.of("guard", "guard of generations", "rule of versions", "rule of copies")
                .flatMap(table -> rows(table).stream())
                .forEach(row ->
                        assertTrue(row.matches(".*`\\w+Test\\.should\\w+`.*|.*\\| none: it is assumed \\|"), row));
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
        return Stream.of("allocator-core/src", "allocator-zk/src")
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
