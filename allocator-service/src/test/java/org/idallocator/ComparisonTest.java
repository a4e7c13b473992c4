package org.idallocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two tables compare the schemes, and say what they are: the package page's, and README.md's with some of its rows. */
class ComparisonTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE =
            ROOT.resolve("allocator-core/src/main/java/org/idallocator/core/scheme/package-info.java");
    private static final Pattern PAGE_ROW = Pattern.compile("(?s)<tr>(.*?)</tr>");
    private static final Pattern PAGE_CELL = Pattern.compile("(?s)<t[hd][^>]*>(.*?)</t[hd]>");
    private static final Pattern TAG = Pattern.compile("\\{@(?:code|link \\S+) ([^}]*)\\}");
    private static final long MANY = 1_000_000;

    /** Rows by their first cell; the header's is empty. */
    private record Table(String document, Map<String, List<String>> rows) {
        static Table of(String document, Stream<List<String>> lines) {
            Map<String, List<String>> rows = new LinkedHashMap<>();
            lines.forEach(cells -> rows.put(cells.get(0), cells.subList(1, cells.size())));
            return new Table(document, rows);
        }

        @Override
        public String toString() {
            return document;
        }
    }

    static List<Table> tables() throws IOException {
        return List.of(readme(), page());
    }

    private static Table readme() throws IOException {
        return Table.of(
                "README.md",
                Files.readAllLines(ROOT.resolve("README.md")).stream()
                        .dropWhile(line -> !line.startsWith("| | `"))
                        .takeWhile(line -> line.startsWith("|"))
                        .filter(line -> !line.startsWith("| ---"))
                        .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                                .map(cell -> cell.replace("`", "").strip())
                                .toList()));
    }

    private static Table page() throws IOException {
        String text = Files.readString(PAGE).replaceAll("\n \\*", "");
        return Table.of(
                "package-info.java",
                PAGE_ROW.matcher(text)
                        .results()
                        .map(row -> PAGE_CELL
                                .matcher(row.group(1))
                                .results()
                                .map(cell -> TAG.matcher(cell.group(1))
                                        .replaceAll("$1")
                                        .strip())
                                .toList()));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void shouldSaySomethingOfEveryScheme(Table table) throws IOException {
        assertEquals(Schemes.names(), table.rows().get(""));
        assertTrue(page().rows().keySet().containsAll(table.rows().keySet()), "rows of the page");
        table.rows().forEach((row, cells) -> {
            assertEquals(Schemes.names().size(), cells.size(), row);
            assertFalse(cells.contains(""), row);
        });
    }

    @ParameterizedTest
    @MethodSource("tables")
    void shouldGiveTheNumbersOfTheSchemes(Table table) {
        List<Scheme<?>> schemes = Schemes.all();
        for (int i = 0; i < schemes.size(); i++) {
            Scheme<?> scheme = schemes.get(i);
            check(table, i, "bits, bytes", bits(scheme) + ", " + scheme.type().bytes());
            check(table, i, "characters of text", Integer.toString(scheme.type().textLength()));
            check(table, i, "tick", length(scheme.unit().tickMicros()));
            check(table, i, "runs until", lastDay(scheme.unit()));
            check(
                    table,
                    i,
                    "slots",
                    scheme.pool().map(pool -> number(pool.size())).orElse("none needed"));
            check(table, i, "IDs per tick and slot", scheme.pool().isPresent() ? number(inTick(scheme)) : "no limit");
        }
    }

    private static void check(Table table, int column, String row, String expected) {
        if (!table.rows().containsKey(row)) {
            assertEquals("README.md runs until", table.document() + " " + row);
            return;
        }
        String cell = table.rows().get(row).get(column);
        boolean begins = cell.matches(Pattern.quote(expected) + "([,;]? .*)?");
        assertTrue(begins, () -> row + " of " + Schemes.names().get(column) + " is " + expected + ": " + cell);
    }

    private static <T extends Id> int bits(Scheme<T> scheme) {
        List<Field<T>> fields = scheme.type().fields();
        return fields.get(fields.size() - 1).lastBit() + 1 - fields.get(0).firstBit();
    }

    private static String length(long micros) {
        return micros % 1_000_000 == 0
                ? micros / 1_000_000 + " s"
                : micros % 1_000 == 0 ? micros / 1_000 + " ms" : micros + " µs";
    }

    private static String lastDay(TickUnit unit) {
        return unit.instantAt(unit.maxTick()).toString().replaceFirst("T.*", "").replace("+", "");
    }

    private static String number(long value) {
        return value <= MANY ? String.format(Locale.ROOT, "%,d", value) : "2^" + Long.numberOfTrailingZeros(value);
    }

    /** The number of IDs that the first slot's generator gives in a tick, after all earlier ticks were used up. */
    private static long inTick(Scheme<?> scheme) {
        TickUnit unit = scheme.unit();
        ScriptedClock clock = new ScriptedClock(unit.microsAt(1_000_000));
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        drain(generator);
        clock.setMicros(unit.microsAt(1_000_001));
        return drain(generator);
    }

    private static long drain(Generator generator) {
        long drawn = 0;
        int last;
        do {
            last = Draw.of(generator, (int) MANY, Variant.NONE, (high, low) -> {})
                    .issued();
            drawn += last;
        } while (last > 0);
        return drawn;
    }
}
