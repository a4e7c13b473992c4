package org.idallocator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GoalsTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "speed.md");

    /** A command's table of figures, as {@code --markdown} prints it, has each of its goals. */
    @ParameterizedTest
    @MethodSource("org.idallocator.bench.Goals#commands")
    void shouldBeOnThePageBesideTheFigures(String command) throws IOException {
        String page = Files.readString(PAGE);
        String marker = "\n<!-- figures of " + command + ": bench.jar " + command + " --markdown -->\n\n";
        assertTrue(page.contains(marker), marker);
        String figures = page.split(marker, 2)[1].split("\n\n", 2)[0];

        for (String row : Goals.table(command, true).lines().skip(2).toList()) {
            String goal = row.split(" [|] ", 2)[1].replaceFirst(" [|]$", "");
            for (String of : row.substring(2).split(" [|] ", 2)[0].split("; ")) {
                String name = command.equals("calls") ? "| " + of.replace(Goals.BYTES, "") + " | " : "";
                assertTrue(
                        figures.lines().anyMatch(line -> line.startsWith(name) && line.contains(goal)),
                        () -> command + " has no row of " + of + " with " + goal);
            }
        }
    }

    @Test
    void shouldKnowEveryCommandOnThePage() throws IOException {
        Pattern.compile("bench\\.jar (\\w+)")
                .matcher(Files.readString(PAGE))
                .results()
                .forEach(found -> assertTrue(Bench.names().contains(found.group(1)), found::group));
    }

    /** Others' versions are those that {@code pom.xml} has the benchmark measured with. */
    @ParameterizedTest
    @CsvSource({"cosid, CosId", "hutool, Hutool", "tsid, TSID Creator", "uuid-creator, UUID Creator"})
    void shouldNameTheVersionOfEachOtherOnThePage(String property, String name) throws IOException {
        String pom = Files.readString(Path.of("..", "..", "pom.xml"));
        String version = pom.split("<" + property + ".version>", 2)[1].split("<", 2)[0];

        String named = name + " " + version;
        assertTrue(Files.readString(PAGE).replace('\n', ' ').contains(named), named);
    }

    @Test
    void shouldBeMetAtTheLimitAndMissedBeyondAndWhenNothingWasMeasured() {
        Goal most = Goal.atMost("one", 1.15, "other");
        Goal least = Goal.atLeast("one", 1.7, "other");
        assertTrue(most.isMet(1.15) && least.isMet(1.7));
        assertFalse(most.isMet(1.1501) || least.isMet(1.6999));
        assertFalse(most.isMet(Double.NaN) || least.isMet(Double.NaN));
    }

    @Test
    void shouldHaveBenchmarksOfSeveralThreadsMeasuredOnBothSides() {
        assertEquals(2, Goals.threads("Drawing.sno").max().getAsInt());
        assertEquals(2, Goals.threads("Drawing.swapAndValue").max().getAsInt());
        assertEquals(4, Goals.threads("InTick.snoBefore").max().getAsInt());
        assertEquals(1, Goals.threads("Writing.sno").max().getAsInt());
    }
}
