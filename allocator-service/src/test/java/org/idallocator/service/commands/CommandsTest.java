package org.idallocator.service.commands;

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
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.service.CommandLine;
import org.idallocator.service.CommandLine.Outcome;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.zk.testing.TcpProxy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private String config;

    private Outcome ida(String call) {
        return CommandLine.run((call + " -c " + config).split(" ", -1));
    }

    private static void assertSays(String pattern, String text) {
        assertTrue(text.matches("(?s)" + pattern), text);
    }

    /** Runs a command that only looks, while a service has the directory. */
    private Outcome look(String call) {
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            Outcome outcome = ida(call);
            String where = service.description() + "\n";
            assertTrue(outcome.output().startsWith(where), outcome.output());
            return new Outcome(outcome.status(), outcome.output().substring(where.length()), outcome.error());
        }
    }

    @BeforeEach
    void setUp() throws IOException {
        config = ConfigFile.in(directory).toString();
    }

    /** Who looks is no replica. Replicas without slots are replicas, too. */
    @Test
    void shouldLookAlsoWhereNoSchemeHasSlots() throws IOException {
        config = ConfigFile.in(directory, "gids.yml", "schemes: {gid: },").toString();
        assertEquals("no slot was ever used\n", look("leases list").output());
        assertEquals(new Outcome(false, "no replica is there\n", ""), look("leases members"));
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            JsonNode fleet = json("leases", "members", "--json", config);
            assertEquals(
                    service.settings().zookeeper().connect(),
                    fleet.get("zookeeper").textValue());
            assertEquals("/id-allocator", fleet.get("root").textValue());
            assertTrue(fleet.get("members").isEmpty(), fleet.toString());
        }
    }

    /** ZooKeeper answers as soon as somebody was told that it has not. */
    @ParameterizedTest
    @CsvSource({"doctor, to answer", "leases list, to answer", "fence-restore, to take the new floor"})
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldTellWhatItWaitsFor(String command, String what) throws IOException {
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config));
                TcpProxy line = TcpProxy.to(service.settings().zookeeper().connect(), Duration.ZERO)) {
            line.blackhole();
            Path through = Files.writeString(
                    directory.resolve("through.yml"), "allocator: {zookeeper: {connect: '" + line.address() + "'}}");
            Outcome outcome = CommandLine.runTelling(said -> line.heal(), (command + " -c " + through).split(" ", -1));

            assertSays("waiting for ZooKeeper " + line.address() + ".* " + what + "\n.*", outcome.error());
            assertFalse(outcome.output().isEmpty());
        }
    }

    /** Also with JSON, standard output has nothing then. */
    @ParameterizedTest
    @ValueSource(
            strings = {"leases list", "leases members", "doctor --json", "leases release uid60 000", "fence-restore"})
    void shouldMakeNothingWhenNoServiceHasRun(String command) {
        Path data = directory.resolve("data");
        String error = "zookeeper.embedded.dataDir " + data + " holds no data: no service has run on it\n";

        assertEquals(new Outcome(true, "", error), ida(command));
        assertFalse(Files.exists(data));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases list", "leases show uid60 000", "leases members", "doctor"})
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldStartNothingWhenItOnlyLooks(String command) {
        Path data = directory.resolve("data");
        String error = "no ZooKeeper runs on zookeeper.embedded.dataDir " + data + "; start the service (server)\n";

        ida("generate uid60");
        assertEquals(new Outcome(true, "", error), ida(command));
        assertFalse(Files.exists(data.resolve("server.json")));
    }

    /** Of a root that is not new, nothing changes; and what one promise says, another does not. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldBeginANewRootAndPromiseThatNothingCameBackOnTheOperatorsWord() {
        assertSays(
                ".*\nThe root is begun, and replicas serve immediately.*",
                ida("fence-restore --new-root").output());
        Outcome again = ida("fence-restore --new-root");
        assertEquals(1, again.status());
        assertTrue(again.error().contains("/id-allocator is not empty, or was used before; nothing was changed"));
        assertFalse(ida("generate muid").failed());

        assertSays(
                ".*\nPromised: no backup came back since 2026-01-01T00:00:00Z[.] .*",
                ida("fence-restore --nothing-restored 2026-01-01T00:00:00Z").output());
        Outcome tooLate = ida("fence-restore --nothing-restored " + Instant.now());
        assertEquals(1, tooLate.status());
        assertTrue(tooLate.error().contains("promise that no backup came back since then"), tooLate.error());
        for (String other : List.of("--new-root", "--window 2m", "--floor 2026-01-01T00:00:00Z")) {
            Outcome refused = ida("fence-restore --nothing-restored 2026-01-01T00:00:00Z " + other);
            assertEquals(2, refused.status());
            assertTrue(refused.error().contains("take no other option"), refused.error());
        }
    }

    /** The floor does not depend on the window in the file, but on what the operator promises. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldShortenTheWaitOnlyOnTheOperatorsWord() {
        ida("generate muid");
        String floor = Clock.system()
                .instant()
                .plusSeconds(3_600)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        Outcome promised = ida("fence-restore --window 10s --max-clock-skew 2s --floor " + floor);
        Outcome without = ida("fence-restore");

        assertFalse(promised.failed(), promised.error());
        assertSays(
                "ZooKeeper [0-9.:]+, embedded, in [^\n]+\nincarnation: [0-9a-f-]{36} -> [0-9a-f-]{36}\nfloor:       "
                        + floor + "\n.*",
                promised.output());
        assertSays(".*\nincarnation: " + promised.output().split(" -> |\n", -1)[2] + " -> .*", without.output());
        assertTrue(
                promised.output()
                        .contains(
                                "counted:     replicas with a window of at most 10000 ms and a maxClockSkew of at most 2000 ms;"
                                        + " one that had more, and was cut off, may issue equal IDs\n"),
                promised.output());
        assertTrue(without.output().contains("promised:    nothing; "), without.output());
        assertTrue(without.output().contains("floor:       " + floor + "\n"), "never lowered: " + without.output());
    }

    @Test
    void shouldRefuseAPromiseThatZooKeeperShowsToBeWrong() {
        ida("generate muid");
        Outcome outcome = ida("fence-restore --window 5s");
        Instant tooLate = Clock.system().instant().plusSeconds(25 * 3_600);

        assertEquals(2, ida("fence-restore --floor " + tooLate).status());
        assertTrue(outcome.failed());
        assertTrue(
                outcome.error()
                        .endsWith(
                                "/layout says that replicas have a window of 10000 ms and a maxClockSkew of 2000 ms; promised"
                                        + " is less\n"),
                outcome.error());
    }

    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldRetireInAPoolThatNobodyUsedYetAndPutBack() {
        Outcome retired = ida("leases retire uid60 7 --yes");
        Outcome again = ida("leases retire uid60 7 --yes");
        Outcome list = look("leases list");
        Outcome restored = ida("fence-restore");
        Outcome back = ida("leases unretire uid60 7 --yes");

        assertFalse(retired.failed(), retired.error());
        assertSays(".*/id-allocator\ntaken out of the pool\n.*\nstate: +retired\n.*", retired.output());
        assertTrue(again.failed());
        assertSays(
                "uid60 slot 007 is retired already, and reserved through 20[^ ]+Z; nothing was changed\n",
                again.error());
        assertSays(".*\nuid60 +007 +retired.*", list.output());
        assertTrue(
                restored.output().contains("retired:     /id-allocator/uid60/records/007; "),
                "what is lost with a backup is for the operator to know: " + restored.output());
        assertSays(
                "ZooKeeper [^\n]+\nback in the pool; its next IDs have times from [^\n]+ on\n"
                        + "slot: +uid60 007\nstate: +cooling\n.*",
                back.output() + back.error());
    }

    @Test
    @ProofOnly("starts a ZooKeeper of its own")
    void shouldChangeALayoutAndRefuseTheOldOne() throws IOException {
        ida("generate sno");
        String other = ConfigFile.in(directory, "other.yml", "schemes: {sno: {shards: 8}},")
                .toString();
        Outcome well = look("doctor");
        Outcome same = ida("leases relayout sno");
        Outcome changed = CommandLine.run("leases", "relayout", "sno", "-c", other);
        Outcome ill = look("doctor");
        JsonNode json;
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            json = Jackson.newObjectMapper().readTree(ida("doctor --json").output());
            String asked = service.settings().zookeeper().connect();
            assertEquals(asked, json.get("zookeeper").textValue());
        }

        assertFalse(well.failed(), well.error());
        assertTrue(well.output().contains("ok   clock"), well.output());
        assertTrue(well.output().contains("ok   sno        0 of 1024 slots are held\n"), well.output());
        assertEquals("/id-allocator/sno/layout is as configured already; nothing was changed\n", same.error());
        assertFalse(changed.failed(), changed.error());
        assertSays(".*\"shards\":4.*\"shards\":8.*\nfenced:  nobody held a slot\n.*", changed.output());
        assertTrue(ill.failed(), "a service that is configured like this would refuse");
        assertSays(
                ".*FAIL sno +the layout in ZooKeeper differs .*/id-allocator/sno/layout: it is [^\n]*\n"
                        + "     remedy: give this file [^\n]*\n     leases relayout SCHEME -c FILE\n.*",
                ill.output());
        JsonNode sno =
                json.get("checks").get(json.get("checks").size() - Schemes.all().size());
        assertFalse(json.get("ok").booleanValue(), json.toString());
        assertEquals("sno", sno.get("name").textValue());
        assertEquals("fail", sno.get("result").textValue());
        assertTrue(sno.get("seen").textValue().startsWith("the layout in ZooKeeper differs"), sno.toString());
        assertTrue(sno.get("remedy").textValue().endsWith("leases relayout SCHEME -c FILE"), sno.toString());
        assertEquals("layout-mismatch", sno.get("reason").textValue());
        assertEquals("/id-allocator", json.get("root").textValue());
    }

    /** Names have three digits where there were four. The first command that needs a layout begins one. */
    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldKeepASlotRetiredWhenTheLayoutWasDeletedByHand() throws Exception {
        ida("generate sno");
        String halves = ConfigFile.in(directory, "halves.yml", "schemes: {sno: {shards: 2}},")
                .toString();
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            ida("leases retire sno 7 --yes");
            ZooKeeper client = new ZooKeeper(service.settings().zookeeper().connect(), 60_000, event -> {});
            ZKUtil.deleteRecursive(client, "/id-allocator/sno/layout");
            client.close();
            Outcome other = CommandLine.run("leases", "retire", "sno", "8", "--yes", "-c", halves);
            Outcome show = CommandLine.run("leases", "show", "sno", "7", "-c", halves);

            assertFalse(other.failed(), other.error());
            assertTrue(show.output().contains("sno 007\n"), show.output() + show.error());
            assertSays(".*state: +retired\n.*", show.output());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --window=25h           | window must be at most 86400000 ms: 90000000 ms
            --window=ten           | argument --window: must be a number and a unit, such as 10s or 500ms: ten
            --floor=tomorrow       | argument --floor: must be as 2026-01-31T12:00:00Z, and at most a day ahead: tomorrow
            """)
    void shouldSayWhatIsAllowedWhenFenceIsRestored(String option, String error) {
        Outcome outcome = ida("fence-restore " + option);

        assertEquals(2, outcome.status());
        assertEquals(error, outcome.error().lines().findFirst().orElseThrow(), "the file has nothing to do with it");
        assertFalse(Files.exists(directory.resolve("data")), "nothing was begun");
    }

    @Test
    void shouldSayWhichZooKeeperItAskedAlsoWhereItRefuses() {
        Map<String, String> refused = Map.of(
                "leases release uid60 0", "nobody holds the slot",
                "leases unretire uid60 0 --yes", "uid60 slot 000 is not retired; nothing was changed");
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            refused.forEach((command, error) ->
                    assertEquals(new Outcome(true, service.description() + "\n", error + "\n"), ida(command)));
        }
    }

    @Test
    @ProofOnly("each starts a ZooKeeper of its own")
    void shouldFailWhenWhatItPrintsIsLost() {
        List<String> commands = List.of(
                "check CONFIG",
                "inspect 9q7qmwq2222dhi22",
                "generate gid -n 100 CONFIG",
                "doctor CONFIG",
                "leases list --json CONFIG",
                "leases retire uid60 7 --yes CONFIG",
                "fence-restore CONFIG");
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            assertTrue(service.entry().embedded());
            for (String command : commands) {
                Outcome outcome = CommandLine.runOnFullDisk(
                        command.replace("CONFIG", config).split(" ", -1));

                assertTrue(outcome.failed(), command);
                assertTrue(outcome.error().startsWith("standard output takes no more"), command + outcome.error());
            }
            assertFalse(ida("leases retire uid60 7 --yes").failed(), "where it could not say so, it changed nothing");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            generate sno --nope             | unrecognized arguments: '--nope'
            generate sno a.yml b.yml        | unrecognized arguments: 'b.yml'
            leases nope                     | invalid choice: 'nope' (choose from 'list', 'show', 'members', 'release', 'retire', 'unretire', 'relayout')
            leases show                     | too few arguments
            leases unretire sno 1 --nonce x | unrecognized arguments: '--nonce'
            leases unretire uid60 0 --yes --used-until soon | argument --used-until: must be as 2026-01-31T12:00:00Z, and at most a day ahead: soon
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
            generate nope                   | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            leases list gid                 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            leases show uid60 512           | slot must be 000..511: 512
            leases show uid60 x             | slot must be 000..511: x
            leases retire eightbyte 3       | retire eightbyte slot 03: there is no terminal to ask on; agree with --yes
            """)
    void shouldSayInOneLineWhichValueItDoesNotTake(String call, String error) {
        assertEquals(Outcome.misuse(error), ida(call));
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
        ida("generate muid");
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            assertTrue(service.entry().embedded());
            for (String command : List.of(
                    "doctor --config CONFIG",
                    "generate -c CONFIG uid60",
                    "generate uid60 none.yml -c CONFIG",
                    "leases list uid60 CONFIG")) {
                Outcome outcome =
                        CommandLine.run(command.replace("CONFIG", config).split(" ", -1));

                assertEquals("", outcome.error(), command);
                assertFalse(outcome.failed(), command);
            }
        }
    }

    @Test
    @ProofOnly("starts a ZooKeeper, and a command for each way")
    void shouldShowTheSlotsThatWereUsedAlsoAsJson() throws IOException {
        ida("generate uid60");
        try (ZooKeeperInUse service = ConfigFile.start(Path.of(config))) {
            String text = ida("leases list").output();
            String shown = ida("leases show uid60 0").output();
            JsonNode list = json("leases", "list", "uid60", "--json", "-c", config);
            JsonNode slot = json("leases", "show", "uid60", "0", "--json", "-c", config);

            assertSays(".*\nSCHEME +SLOT .*\nuid60 +000 +(free|cooling) .*", text);
            assertSays(
                    ".*\nslot: +uid60 000\n.*\nlease node: +/id-allocator/uid60/leases/000\nrecord node: +/id-allocator/uid60/records/000\n",
                    shown);
            assertEquals(
                    service.settings().zookeeper().connect(),
                    list.get("zookeeper").textValue());
            assertEquals(1, list.get("leases").size());
            assertEquals(512, list.get("pools").get(0).get("size").intValue());
            assertEquals(
                    "/id-allocator/uid60/records/000", slot.get("recordPath").textValue());
            assertEquals(slot.get("reservedThrough"), list.get("leases").get(0).get("reservedThrough"));
            assertEquals("uid60", slot.get("scheme").textValue());
            assertEquals("000", slot.get("slot").textValue());
            assertTrue(slot.get("state").textValue().matches("free|cooling"), slot.toString());
            assertTrue(slot.get("lease").isNull());
            assertTrue(slot.get("reservedThrough").textValue().endsWith("Z"));
        }
    }

    private static JsonNode json(String... arguments) throws IOException {
        Outcome outcome = CommandLine.run(arguments);
        assertEquals("", outcome.error());
        return Jackson.newObjectMapper().readTree(outcome.output());
    }
}
