package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.CommandLine.Outcome;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.zk.testing.TcpProxy;
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

    /** Runs a command that only looks, while a service has the directory. */
    private Outcome look(String... arguments) {
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            Outcome outcome = CommandLine.run(arguments);
            assertTrue(outcome.output().startsWith(service.description() + "\n"), outcome.output());
            return new Outcome(
                    outcome.status(),
                    outcome.output().substring(service.description().length() + 1),
                    outcome.error());
        }
    }

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    @BeforeEach
    void setUp() throws IOException {
        config = ConfigFile.in(directory).toString();
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
                restored.output()
                        .matches(
                                "(?s)ZooKeeper [0-9.:]+, embedded, in [^\n]+\nincarnation: [0-9a-f-]{36} -> [0-9a-f-]{36}\nfloor: +20.*Z\n.*"),
                restored.output());
        String incarnation =
                restored.output().lines().skip(1).findFirst().orElseThrow().split(" -> ", -1)[1];
        assertTrue(again.output().contains("\nincarnation: " + incarnation + " -> "), again.output());
    }

    @Test
    void shouldFindEverythingInOrder() {
        CommandLine.run("generate", "sno", "-c", config);
        Outcome outcome = look("doctor", config);

        assertFalse(outcome.failed(), outcome.error());
        assertTrue(outcome.output().contains("ok   clock"), outcome.output());
        assertTrue(outcome.output().contains("ok   sno        0 of 1024 slots are held\n"), outcome.output());
    }

    @Test
    @ProofOnly("starts a ZooKeeper of its own")
    void shouldListTheSlotsThatWereUsed() {
        CommandLine.run("generate", "uid60", "-c", config);
        Outcome list = look("leases", "list", "-c", config);
        Outcome show = look("leases", "show", "uid60", "000", "-c", config);

        assertAll(
                () -> assertTrue(
                        list.output().matches("(?s)SCHEME +SLOT .*\nuid60 +000 +(free|cooling) .*"), list.output()),
                () -> assertTrue(show.output().startsWith("slot:             uid60 000\n"), show.output()),
                () -> assertTrue(show.output().endsWith("""
                                lease node:       /id-allocator/uid60/leases/000
                                record node:      /id-allocator/uid60/records/000
                                """), show.output()));
    }

    /** Who looks is no replica. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldShowThatNoReplicaIsThere() throws IOException {
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            assertEquals(
                    new Outcome(false, service.description() + "\nno replica is there\n", ""),
                    CommandLine.run("leases", "members", config));
            JsonNode fleet = json("leases", "members", "--json", config);
            assertEquals(
                    service.settings().zookeeper().connect(),
                    fleet.get("zookeeper").textValue());
            assertEquals("/id-allocator", fleet.get("root").textValue());
            assertTrue(fleet.get("members").isEmpty(), fleet.toString());
            Outcome doctor = CommandLine.run("doctor", "--json", config);
            assertTrue(doctor.output().contains(fleet.get("zookeeper").textValue()), doctor.output());
        }
    }

    /** ZooKeeper answers as soon as somebody was told that it has not. */
    @ParameterizedTest
    @CsvSource({"doctor, to answer", "leases list, to answer", "fence-restore, to take the new floor"})
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldTellWhatItWaitsFor(String command, String what) throws IOException {
        try (Ensemble service = ConfigFile.start(Path.of(config));
                TcpProxy line = TcpProxy.to(service.settings().zookeeper().connect(), Duration.ZERO)) {
            line.blackhole();
            Path through = Files.writeString(
                    directory.resolve("through.yml"), "allocator: {zookeeper: {connect: '" + line.address() + "'}}");
            Outcome outcome = CommandLine.runTelling(said -> line.heal(), (command + " -c " + through).split(" ", -1));

            assertTrue(
                    outcome.error().matches("(?s)waiting for ZooKeeper " + line.address() + ".* " + what + "\n.*"),
                    outcome.error());
            assertFalse(outcome.output().isEmpty());
        }
    }

    /** Also with JSON, standard output has nothing then. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "leases list -c",
                "leases show uid60 000 -c",
                "leases members",
                "doctor",
                "doctor --json",
                "leases release uid60 000 -c",
                "leases relayout uid60 -c",
                "fence-restore"
            })
    void shouldMakeNothingWhenNoServiceHasRun(String command) {
        Path data = directory.resolve("data");
        String error = "zookeeper.embedded.dataDir " + data + " holds no data: no service has run on it\n";

        assertEquals(new Outcome(true, "", error), CommandLine.run((command + " " + config).split(" ", -1)));
        assertFalse(Files.exists(data));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases list -c", "leases show uid60 000 -c", "leases members", "doctor"})
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldStartNothingWhenItOnlyLooks(String command) {
        Path data = directory.resolve("data");
        String error = "no ZooKeeper runs on zookeeper.embedded.dataDir " + data + "; start the service (server)\n";

        CommandLine.run("generate", "uid60", "-c", config);
        assertEquals(new Outcome(true, "", error), CommandLine.run((command + " " + config).split(" ", -1)));
        assertFalse(Files.exists(data.resolve("server.json")));
    }

    /** The floor does not depend on the window in the file, but on what the operator promises. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldShortenTheWaitOnlyOnTheOperatorsWord() {
        CommandLine.run("generate", "muid", "-c", config);
        String floor = Instant.EPOCH
                .plus(Clock.system().micros(), ChronoUnit.MICROS)
                .plusSeconds(3_600)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        Outcome promised =
                CommandLine.run("fence-restore", config, "--window", "10s", "--max-clock-skew", "2s", "--floor", floor);
        Outcome without = CommandLine.run("fence-restore", config);

        assertFalse(promised.failed(), promised.error());
        assertTrue(promised.output().contains("floor:       " + floor + "\n"), promised.output());
        assertTrue(
                promised.output()
                        .contains(
                                "promised:    no replica of this root had a window above 10000 ms or a maxClockSkew above"
                                        + " 2000 ms; one that had, and was cut off, may issue equal IDs\n"),
                promised.output());
        assertTrue(without.output().contains("promised:    nothing: "), without.output());
        assertTrue(without.output().contains("floor:       " + floor + "\n"), "never lowered: " + without.output());
    }

    @Test
    void shouldRefuseAPromiseThatZooKeeperShowsToBeWrong() {
        CommandLine.run("generate", "muid", "-c", config);
        Outcome outcome = CommandLine.run("fence-restore", config, "--window", "5s");

        assertTrue(outcome.failed());
        assertTrue(
                outcome.error()
                        .endsWith(
                                "/layout says that replicas have a window of 10000 ms and a maxClockSkew of 2000 ms; promised"
                                        + " are 5000 ms and 10000 ms at most\n"),
                outcome.error());
    }

    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldRetireInAPoolThatNobodyUsedYet() {
        Outcome retired = CommandLine.run("leases", "retire", "uid60", "7", "--yes", "-c", config);
        Outcome list = look("leases", "list", "-c", config);
        Outcome restored = CommandLine.run("fence-restore", config);

        assertFalse(retired.failed(), retired.error());
        assertTrue(retired.output().contains("/id-allocator\ntaken out of the pool\n"), retired.output());
        assertTrue(list.output().matches("(?s).*\nuid60 +007 +retired.*"), list.output());
        assertTrue(
                restored.output().contains("retired:     /id-allocator/uid60/records/007; "),
                "what is lost with a backup is for the operator to know: " + restored.output());
    }

    @Test
    @ProofOnly("starts a ZooKeeper of its own")
    void shouldChangeALayoutAndRefuseTheOldOne() throws IOException {
        CommandLine.run("generate", "sno", "-c", config);
        String other = ConfigFile.in(directory, "other.yml", "schemes: {sno: {shards: 8}},")
                .toString();
        Outcome same = CommandLine.run("leases", "relayout", "sno", "-c", config);
        Outcome changed = CommandLine.run("leases", "relayout", "sno", "-c", other);
        Outcome doctor = look("doctor", config);

        assertEquals("/id-allocator/sno/layout is as configured already; nothing was changed\n", same.error());
        assertFalse(changed.failed(), changed.error());
        assertTrue(changed.output().contains("\"shards\":4"), changed.output());
        assertTrue(changed.output().contains("\"shards\":8"), changed.output());
        assertTrue(changed.output().contains("fenced:  nobody held a slot\n"), changed.output());
        assertTrue(doctor.failed(), "a service that is configured like this would refuse");
        assertTrue(
                doctor.output()
                        .matches(
                                "(?s).*FAIL sno +the layout in ZooKeeper differs .*/id-allocator/sno/layout: it is [^\n]*\n"
                                        + "     remedy: give this file [^\n]*\n     leases relayout SCHEME -c FILE\n.*"),
                doctor.output());
    }

    /** Names have three digits where there were four. The first command that needs a layout begins one. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldKeepASlotRetiredWhenTheLayoutWasDeletedByHand() throws Exception {
        CommandLine.run("generate", "sno", "-c", config);
        String halves = ConfigFile.in(directory, "halves.yml", "schemes: {sno: {shards: 2}},")
                .toString();
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            CommandLine.run("leases", "retire", "sno", "7", "--yes", "-c", config);
            ZooKeeper client = new ZooKeeper(service.settings().zookeeper().connect(), 60_000, event -> {});
            ZKUtil.deleteRecursive(client, "/id-allocator/sno/layout");
            client.close();
            Outcome other = CommandLine.run("leases", "retire", "sno", "8", "--yes", "-c", halves);
            Outcome show = CommandLine.run("leases", "show", "sno", "7", "-c", halves);

            assertFalse(other.failed(), other.error());
            assertTrue(show.output().contains("sno 007\n"), show.output() + show.error());
            assertTrue(show.output().matches("(?s).*state: +retired\n.*"), show.output());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --window=61s           | window must be at most 60000 ms: 61000 ms; after a loss of data in ZooKeeper everybody waits for the largest that is allowed
            --window=ten           | argument --window: must be a number and a unit, such as 10s or 500ms: ten
            --max-clock-skew=1m    | maxClockSkew must be at most 10000 ms: 60000 ms; after a loss of data in ZooKeeper everybody waits for the largest that is allowed
            --floor=2999-01-01T00:00:00Z | argument --floor: must be as 2026-01-31T12:00:00Z, and at most a day ahead: 2999-01-01T00:00:00Z
            --floor=tomorrow       | argument --floor: must be as 2026-01-31T12:00:00Z, and at most a day ahead: tomorrow
            """)
    void shouldSayWhatIsAllowedWhenFenceIsRestored(String option, String error) {
        Outcome outcome = CommandLine.run("fence-restore", config, option);

        assertEquals(2, outcome.status());
        assertEquals(error, outcome.error().lines().findFirst().orElseThrow(), "the file has nothing to do with it");
        assertFalse(Files.exists(directory.resolve("data")), "nothing was begun");
    }

    /** Replicas without slots are replicas, too. */
    @ParameterizedTest
    @CsvSource({"leases list, no slot was ever used", "leases members, no replica is there"})
    void shouldLookAlsoWhereNoSchemeHasSlots(String command, String answer) throws IOException {
        Path gids = ConfigFile.in(directory, "gids.yml", "schemes: {gid: },");
        try (Ensemble service = ConfigFile.start(gids)) {
            assertEquals(
                    new Outcome(false, service.description() + "\n" + answer + "\n", ""),
                    CommandLine.run((command + " -c " + gids).split(" ", -1)));
        }
    }

    @Test
    void shouldSayWhichZooKeeperItAskedAlsoWhereItRefuses() {
        Map<String, String> refused = Map.of(
                "leases release uid60 0", "nobody holds the slot",
                "leases unretire uid60 0 --yes", "uid60 slot 000 is not retired; nothing was changed");
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            refused.forEach((command, error) -> assertEquals(
                    new Outcome(true, service.description() + "\n", error + "\n"),
                    CommandLine.run((command + " -c " + config).split(" ", -1))));
        }
    }

    @Test
    void shouldSayThatASlotIsRetiredAlready() {
        CommandLine.run("leases", "retire", "uid60", "7", "--yes", "-c", config);
        Outcome again = CommandLine.run("leases", "retire", "uid60", "7", "--yes", "-c", config);

        assertTrue(again.failed());
        assertTrue(
                again.error()
                        .matches(
                                "uid60 slot 007 is retired already, and reserved through 20[^ ]+Z; nothing was changed\n"),
                again.error());
    }

    @Test
    void shouldStartNothingForAQuestionThatNobodyCanAnswer() {
        Outcome outcome = CommandLine.run("leases", "retire", "uid60", "7", "-c", config);

        assertTrue(outcome.failed());
        assertFalse(Files.exists(directory.resolve("data")), outcome.error());
    }

    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldFailWhenWhatItPrintsIsLost() {
        List<String> commands = List.of(
                "check CONFIG",
                "doctor CONFIG",
                "doctor --json CONFIG",
                "leases list CONFIG",
                "leases list --json CONFIG",
                "leases retire uid60 7 --yes CONFIG",
                "leases retire uid60 7 --yes --json CONFIG",
                "fence-restore CONFIG");
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            assertTrue(service.entry().embedded());
            for (String command : commands) {
                Outcome outcome = CommandLine.runOnFullDisk(
                        command.replace("CONFIG", config).split(" ", -1));

                assertTrue(outcome.failed(), command);
                assertTrue(outcome.error().startsWith("standard output takes no more"), command + outcome.error());
            }
        }
    }

    /** Whoever has lost what a command printed runs that again. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldChangeNothingWhenItCannotSayWhichZooKeeperItChanges() {
        CommandLine.runOnFullDisk("leases", "retire", "uid60", "7", "--yes", "-c", config);

        assertFalse(CommandLine.run("leases", "retire", "uid60", "7", "--yes", "-c", config)
                .failed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            generate                        | too few arguments
            generate sno --nope             | unrecognized arguments: '--nope'
            generate sno a.yml b.yml        | unrecognized arguments: 'b.yml'
            leases                          | too few arguments
            leases nope                     | invalid choice: 'nope' (choose from 'list', 'show', 'members', 'release', 'retire', 'unretire', 'relayout')
            leases show                     | too few arguments
            leases show uid60               | too few arguments
            leases relayout                 | too few arguments
            leases release uid60            | too few arguments
            leases retire uid60             | too few arguments
            leases list --fence             | unrecognized arguments: '--fence'
            leases unretire sno 1 --nonce x | unrecognized arguments: '--nonce'
            leases release sno 1 --yes      | unrecognized arguments: '--yes'
            leases relayout sno 1 a.yml     | unrecognized arguments: 'a.yml'
            leases unretire uid60 0 --yes --used-until soon | argument --used-until: must be as 2026-01-31T12:00:00Z, and at most a day ahead: soon
            leases unretire uid60 0 --yes --used-until 2999-01-01T00:00:00Z | argument --used-until: must be as 2026-01-31T12:00:00Z, and at most a day ahead: 2999-01-01T00:00:00Z
            fence-restore --floor           | argument --floor: expected one argument
            nope                            | invalid choice: 'nope' (choose from 'server', 'check', 'generate', 'inspect', 'leases', 'doctor', 'fence-restore')
            """)
    void shouldSayWhatIsWrongWithACallAndShowTheHelp(String call, String error) {
        Outcome outcome = CommandLine.run(call.split(" ", -1));
        List<String> lines = outcome.error().lines().toList();

        assertEquals(2, outcome.status());
        assertEquals("", outcome.output());
        assertEquals(error, lines.get(0));
        assertTrue(lines.get(1).startsWith("usage: "), outcome.error());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            generate uid60 -n x             | -n must be 1..100000: x
            generate uid60 -n 0             | -n must be 1..100000: 0
            generate uid60 -n 100001        | -n must be 1..100000: 100001
            generate nope                   | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            leases list nope                | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            leases list gid                 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            leases show uid60 512           | slot must be 000..511: 512
            leases show uid60 x             | slot must be 000..511: x
            leases retire eightbyte 3       | retire eightbyte slot 03: there is no terminal to ask on; agree with --yes
            leases unretire eightbyte 3     | unretire eightbyte slot 03: there is no terminal to ask on; agree with --yes
            """)
    void shouldSayInOneLineWhichValueItDoesNotTake(String call, String error) {
        assertEquals(Outcome.misuse(error), CommandLine.run((call + " -c " + config).split(" ", -1)));
        assertFalse(Files.exists(directory.resolve("data")), "nothing was begun");
    }

    /** Whoever names no file gets none of the default's, where a mistake could not be undone. */
    @Test
    void shouldWantAFileWhenTheFenceIsRestored() {
        assertEquals(Outcome.misuse("name a configuration file"), CommandLine.run("fence-restore"));
    }

    @Test
    @ProofOnly("starts a ZooKeeper, and a command for each way")
    void shouldTakeTheFileInTheSameWays() {
        CommandLine.run("generate", "muid", "-c", config);
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            assertTrue(service.entry().embedded());
            for (String command : List.of(
                    "check CONFIG",
                    "check -c CONFIG",
                    "doctor CONFIG",
                    "doctor -c CONFIG",
                    "doctor --config CONFIG",
                    "generate uid60 CONFIG",
                    "generate uid60 -c CONFIG",
                    "generate -c CONFIG uid60",
                    "generate uid60 none.yml -c CONFIG",
                    "leases list CONFIG",
                    "leases list -c CONFIG",
                    "leases list uid60 CONFIG",
                    "leases show uid60 0 CONFIG",
                    "leases show uid60 0 -c CONFIG",
                    "fence-restore CONFIG",
                    "fence-restore -c CONFIG")) {
                Outcome outcome =
                        CommandLine.run(command.replace("CONFIG", config).split(" ", -1));

                assertEquals("", outcome.error(), command);
                assertFalse(outcome.failed(), command);
            }
        }
    }

    @Test
    @ProofOnly("starts a ZooKeeper, and a command for each way")
    void shouldShowAsJsonWhatTheAdminPortShows() throws IOException {
        CommandLine.run("generate", "uid60", "-c", config);
        JsonNode list;
        JsonNode slot;
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            assertTrue(service.entry().embedded());
            list = json("leases", "list", "uid60", "--json", "-c", config);
            slot = json("leases", "show", "uid60", "0", "--json", "-c", config);
        }

        assertEquals(1, list.get("leases").size());
        assertTrue(list.get("zookeeper").textValue().startsWith("127.0.0.1:"), list.toString());
        assertEquals(512, list.get("pools").get(0).get("size").intValue());
        assertEquals("/id-allocator/uid60/records/000", slot.get("recordPath").textValue());
        assertEquals(slot.get("reservedThrough"), list.get("leases").get(0).get("reservedThrough"));
        assertEquals("uid60", slot.get("scheme").textValue());
        assertEquals("000", slot.get("slot").textValue());
        assertTrue(slot.get("state").textValue().matches("free|cooling"), slot.toString());
        assertTrue(slot.get("lease").isNull());
        assertTrue(slot.get("reservedThrough").textValue().endsWith("Z"));
    }

    @Test
    void shouldSayAsJsonWhatTheDoctorFound() throws IOException {
        CommandLine.run("generate", "sno", "-c", config);
        String other = ConfigFile.in(directory, "other.yml", "schemes: {sno: {shards: 8}},")
                .toString();
        JsonNode well;
        Outcome outcome;
        try (Ensemble service = ConfigFile.start(Path.of(config))) {
            assertTrue(service.entry().embedded());
            well = json("doctor", "--json", config);
            outcome = CommandLine.run("doctor", "--json", other);
        }
        JsonNode ill = Jackson.newObjectMapper().readTree(outcome.output());
        JsonNode last = ill.get("checks").get(ill.get("checks").size() - 1);

        assertTrue(well.get("ok").booleanValue(), well.toString());
        assertTrue(outcome.failed());
        assertFalse(ill.get("ok").booleanValue(), ill.toString());
        assertEquals("sno", last.get("name").textValue());
        assertEquals("fail", last.get("result").textValue());
        assertTrue(last.get("seen").textValue().startsWith("the layout in ZooKeeper differs"), last.toString());
        assertTrue(last.get("remedy").textValue().endsWith("leases relayout SCHEME -c FILE"), last.toString());
        assertTrue(well.get("zookeeper").textValue().startsWith("127.0.0.1:"), well.toString());
        assertEquals("/id-allocator", well.get("root").textValue());
        assertEquals("layout-mismatch", last.get("reason").textValue());
        assertFalse(outcome.output().contains("Node["), outcome.output());
    }

    private static JsonNode json(String... arguments) throws IOException {
        Outcome outcome = CommandLine.run(arguments);
        assertEquals("", outcome.error());
        return Jackson.newObjectMapper().readTree(outcome.output());
    }

    @Test
    @ProofOnly("starts a ZooKeeper, and a command for each way")
    void shouldPutBackWhatWasRetiredByMistake() {
        CommandLine.run("generate", "eightbyte", "-c", config);
        Outcome retired = CommandLine.run("leases", "retire", "eightbyte", "0", "--yes", "-c", config);
        Outcome back = CommandLine.run("leases", "unretire", "eightbyte", "0", "--yes", "-c", config);

        assertFalse(retired.failed(), retired.error());
        assertTrue(retired.output().contains("state:            retired\n"), retired.output());
        assertFalse(back.failed(), back.error());
        assertTrue(
                back.output()
                        .matches("(?s)ZooKeeper [^\n]+\nback in the pool; its next IDs have times from [^\n]+ on\n"
                                + "slot: +eightbyte 00\nstate: +cooling\n.*"),
                back.output());
    }
}
