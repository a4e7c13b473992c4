package com.example.picocli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CancelTest {
    private static final String ID = "9q7qmwq2222dhi22";

    /** How a program ended, and all that it printed. */
    private record Ended(int status, String printed) {}

    private static Ended run(String argument) throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Cancel.class.getName(),
                        argument)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        java.getInputStream().transferTo(printed);
        return new Ended(java.waitFor(), printed.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldReadIds() throws Exception {
        Ended ended = run(ID);

        assertEquals(0, ended.status(), ended::printed);
        assertEquals("cancelled " + ID, ended.printed().strip());
    }

    @Test
    void shouldSayWhatIsNoId() throws Exception {
        Ended ended = run("bad");

        assertEquals(CommandLine.ExitCode.USAGE, ended.status(), ended::printed);
        assertTrue(ended.printed().contains("ORDER"), ended::printed);
        assertTrue(ended.printed().contains("'bad'"), ended::printed);
    }

    /** The page says so. Where this begins to work, the recipe has nothing left to say. */
    @Test
    void shouldNotKnowIdsByItself() {
        CommandLine unaware = new CommandLine(new Cancel());

        assertEquals(CommandLine.ExitCode.USAGE, unaware.execute(ID));
    }
}
