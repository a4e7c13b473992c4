package org.idallocator.service.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.id.Muid;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.service.CommandLine;
import org.idallocator.service.CommandLine.Outcome;
import org.idallocator.service.testing.ConfigFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GenerateCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Path config;

    @BeforeAll
    static void configure() throws IOException {
        config = ConfigFile.in(directory);
    }

    private static Outcome generate(String options) {
        return CommandLine.run(("generate " + options + " -c " + config).split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sno --metabyte 7                       | [2-9a-x]{8}2[u-x][2-9a-x]{6}
            gid --type log --form hex              | a0[0-9a-f]{30}
            gid --type segment --form hex --json   | "c0[0-9a-f]{30}"
            muid --json                            | "[0-9A-F]{32}"
            muid --transaction false               | [0-9A-F]{27}00001
            sno --form uuid                        | [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}
            """)
    void shouldPrintWhatIsAskedFor(String options, String pattern) {
        Outcome outcome = generate(options + " -n 3");

        assertEquals("", outcome.error());
        assertEquals(3, outcome.output().lines().distinct().count());
        assertTrue(outcome.output().lines().allMatch(line -> line.matches(pattern)), outcome.output());
    }

    @Test
    void shouldPrintATransactionBeforeItsObjects() {
        Outcome outcome = generate("muid --transaction true -n 3");

        assertEquals("", outcome.error());
        assertEquals(4 * 33, outcome.output().length(), outcome.output());
        List<Integer> offsets = outcome.output()
                .lines()
                .map(line -> Math.toIntExact(Muid.parse(line).offset()))
                .toList();
        assertEquals(List.of(0, 1, 2, 3), offsets);
    }

    static Stream<Arguments> forms() {
        return Schemes.all().stream()
                .flatMap(scheme -> scheme.forms().stream().map(form -> Arguments.of(scheme, form.name())));
    }

    @ParameterizedTest
    @MethodSource("forms")
    @ProofOnly("a ZooKeeper for each row")
    void shouldPrintEveryFormSoThatItCanBeReadAgain(Scheme<?> scheme, String form) {
        Outcome outcome = generate(scheme.name() + " --form " + form);
        Outcome read = CommandLine.run(
                "inspect",
                "--scheme",
                scheme.name(),
                "--form",
                form,
                "--",
                outcome.output().strip());

        assertFalse(read.failed(), read.error());
        assertTrue(read.output().contains("\n" + form + ": " + outcome.output()), read.output());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sno --metabyte 256                      | metabyte must be 0..255: 256
            muid --transaction yes                  | transaction must be true or false: yes
            muid --transaction true -n 1048576      | -n must be 1..1048575: 1048576
            gid --type nope                         | type must be one of volume, log, segment: nope
            uid60 --metabyte 1                      | uid60 has no parameter metabyte; it has none
            sno --form decimal                      | form must be one of canonical, hex, uuid: decimal
            """)
    void shouldSayWhatIsAllowed(String options, String error) {
        assertEquals(Outcome.misuse(error), generate(options));
    }

    /** The window and the session timeout put the floor of a new root further ahead than half a minute. */
    @Test
    @ProofOnly("waits for a floor that is far ahead")
    void shouldWaitForTheFloorOfARootThatItBegins(@TempDir Path data) throws Exception {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data)) {
            String section = "allocator: {window: 30s, zookeeper: {sessionTimeout: 30s, connect: '"
                    + zookeeper.connect() + "'}}";
            Path ensemble = Files.writeString(directory.resolve("ensemble.yml"), section);
            long begunNanos = Clock.system().nanos();
            Outcome outcome = CommandLine.runTelling(said -> {}, "generate", "sno", "-c", ensemble.toString());

            String asked = "waiting for ZooKeeper " + zookeeper.connect() + ", root /id-allocator";
            List<String> told = outcome.error()
                    .lines()
                    .filter(line -> !line.equals(
                            "waiting for an embedded ZooKeeper to start, or to answer")) // on a busy machine
                    .toList();
            assertEquals(asked + ", to give a slot of sno", told.get(0));
            assertTrue(
                    told.get(1).startsWith(asked + ", until a floor is past: sno did not serve within 30000 ms: "),
                    outcome.error());
            assertEquals(2, told.size());
            assertTrue(outcome.output().matches("[2-9a-x]{16}\n"), outcome.output());
            Duration waited = Duration.ofNanos(Clock.system().nanos() - begunNanos);
            assertTrue(waited.toSeconds() > 30, "no long wait: " + waited);
        }
    }
}
