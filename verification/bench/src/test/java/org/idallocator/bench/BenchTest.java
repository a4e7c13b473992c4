package org.idallocator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String line) throws Exception {
        return Bench.run(List.of(line.split(" ")), print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintEveryCommandWhenAskedForHelp() throws Exception {
        assertEquals(0, run("cap --help"));

        for (String command : Bench.names()) {
            assertTrue(text(out).contains("\n  " + command + " "), command);
        }
        assertTrue(Bench.names().containsAll(Goals.commands()));
        assertEquals("", text(err));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense          | nothing begins with nonsense; there are Drawing.",
                "cap nonsense      | nothing begins with nonsense; there are sno by 1000,",
                "cap --seconds=0   | --seconds must be a number from 1 to 86400: 0",
                "cap --seconds     | cap has no option --seconds",
                "http gib          | nothing begins with gib; there are sno, muid, eightbyte, uid60, gid",
                "http --jar=none   | none is not there; run this at the root of the tree",
                "start now         | start takes no names: now",
                "fleet --sizes=8,  | --sizes must be a number from 1 to 1024: ",
                "memory --minutes=0| --minutes must be a number from 1 to 1440: 0",
                "soak --jar=none   | soak has no option --jar=none"
            })
    void shouldNameWhatIsWrongAndWhatIsAllowed(String line, String said) throws Exception {
        assertEquals(2, run(line));

        assertTrue(text(err).startsWith(said), text(err));
        assertTrue(text(err).contains("usage: java -jar bench.jar"), text(err));
        assertEquals("", text(out));
    }
}
