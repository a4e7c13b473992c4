package org.idallocator.service.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalSizeTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final Path STREAMS = Path.of("/proc/self/fd");

    static boolean pseudoTerminals() {
        return Files.isExecutable(SCRIPT) && Files.isDirectory(STREAMS);
    }

    @ParameterizedTest
    @CsvSource({
        "24 80,           '',  '', 24 80",
        "24 80,           40,  '', 40 80",
        "24 80,           '', 132, 24 132",
        "'',              40, 132, 40 132",
        "'',              40,  '', 40 2147483647",
        "'',              '', 132, ''",
        "0 0,             '',  '', ''",
        "0 0,             40,  '', 40 2147483647",
        "stty: no device, '',  '', ''",
        "24 80,          all, -1, 24 80"
    })
    void shouldTellTheSizeThatIsWantedOrElseTheOneThatThereIs(
            String told, String lines, String columns, String expected) {
        assertEquals(
                expected,
                TerminalSize.of(Map.of("LINES", lines, "COLUMNS", columns), told + "\n")
                        .map(size -> size.rows() + " " + size.columns())
                        .orElse(""));
    }

    @Test
    void shouldNotKnowWhereNobodyTells() {
        assertEquals(Optional.empty(), TerminalSize.of(Map.of(), ""));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "10, 1", "11, 2", "20, 2", "21, 3"})
    void shouldCountTheRowsOfALine(int characters, int rows) {
        assertEquals(rows, new TerminalSize(24, 10).rowsOf("é".repeat(characters)));
    }

    /** On a terminal of that size; where standard output is none, nobody tells. */
    @Test
    @EnabledIf("pseudoTerminals")
    void shouldAskTheTerminal() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String call = "stty rows 7 cols 90; '" + java + "' -XX:TieredStopAtLevel=1 -cp '"
                + System.getProperty("java.class.path") + "' " + ShowSize.class.getName();

        assertEquals("Optional[TerminalSize[rows=7, columns=90]]", said(SCRIPT.toString(), "-qec", call, "/dev/null"));
        assertEquals("Optional.empty", said("sh", "-c", call));
    }

    private static String said(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeAll(Arrays.asList("LINES", "COLUMNS"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.strip();
    }
}
