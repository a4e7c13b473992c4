package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.CommandLine.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private String config;

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    @BeforeEach
    void setUp() throws IOException {
        Path file = directory.resolve("config.yml");
        Files.writeString(
                file,
                "allocator: {zookeeper: {embedded: {enabled: true, dataDir: '" + directory.resolve("data") + "'}}}");
        config = file.toString();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldPrintNothingButDifferentIds(Scheme<?> scheme) {
        Outcome outcome = CommandLine.run("generate", scheme.name(), "-n", "50", "-c", config);

        assertFalse(outcome.failed(), outcome.error());
        assertEquals(50, outcome.output().lines().distinct().count());
        assertTrue(
                outcome.output().lines().allMatch(id -> id.matches(scheme.type().textPattern())));
    }

    @Test
    void shouldRaiseTheFloorAboveEverythingIssued() {
        CommandLine.run("generate", "muid", "-c", config);
        Outcome restored = CommandLine.run("fence-restore", config);
        Outcome again = CommandLine.run("fence-restore", config);

        assertFalse(restored.failed(), restored.error());
        assertTrue(
                restored.output().matches("(?s)incarnation: [0-9a-f-]{36} -> [0-9a-f-]{36}\nfloor: +20.*Z\n.*"),
                restored.output());
        String incarnation = restored.output().lines().findFirst().orElseThrow().split(" -> ", -1)[1];
        assertTrue(again.output().startsWith("incarnation: " + incarnation + " -> "), again.output());
    }

    @Test
    void shouldFindEverythingInOrder() {
        CommandLine.run("generate", "sno", "-c", config);
        Outcome outcome = CommandLine.run("doctor", config);

        assertFalse(outcome.failed(), outcome.error());
        assertTrue(outcome.output().contains("ok   clock"), outcome.output());
        assertTrue(outcome.output().contains("ok   sno        0 of 1024 slots are held"), outcome.output());
    }

    @Test
    void shouldListTheSlotsThatWereUsed() {
        CommandLine.run("generate", "uid60", "-c", config);
        Outcome list = CommandLine.run("leases", "list", "-c", config);
        Outcome show = CommandLine.run("leases", "show", "uid60", "000", "-c", config);

        assertAll(
                () -> assertTrue(list.output().contains("| uid60  | 000  |"), list.output()),
                () -> assertTrue(show.output().startsWith("slot:             uid60 000\n"), show.output()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"doctor", "leases list -c", "leases show uid60 000 -c", "leases release uid60 000 -c"})
    void shouldMakeNothingWhenItOnlyLooksAndNoServiceHasRun(String command) {
        Path data = directory.resolve("data");
        String error = "zookeeper.embedded.dataDir " + data + " holds no data: no service has run on it\n";

        assertEquals(new Outcome(true, "", error), CommandLine.run((command + " " + config).split(" ", -1)));
        assertFalse(Files.exists(data));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            generate nope             | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            generate uid60 -n 0       | -n must be 1..100000: 0
            generate uid60 -n 100001  | -n must be 1..100000: 100001
            leases list gid           | no scheme with slots is called gid; there are sno, muid, eightbyte, uid60
            leases show               | name a scheme and a slot
            leases show uid60         | name a slot of uid60, such as 000
            leases show uid60 512     | slot must be 000..511: 512
            leases release uid60 000  | nobody holds the slot
            """)
    void shouldSayWhyNotInOneLine(String command, String error) {
        String[] arguments = (command + " -c " + config).split(" ", -1);
        CommandLine.run("generate", "muid", "-c", config);

        assertEquals(new Outcome(true, "", error + "\n"), CommandLine.run(arguments));
    }
}
