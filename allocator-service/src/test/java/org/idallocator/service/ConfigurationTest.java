package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.dropwizard.util.Duration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.text.StringSubstitutor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
    private static final Path CONFIG = Path.of("..", "config");

    /** Commands that read a configuration; the file's path follows. */
    private static final List<List<String>> COMMANDS = List.of(
            List.of("check"),
            List.of("server"),
            List.of("doctor"),
            List.of("generate", "gid", "-c"),
            List.of("leases", "list", "-c"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("config.yml");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            schemes: {eightbyte: {clusterId: 16}}      | schemes.eightbyte.clusterId must be 0..15: 16
            schemes: {eightbyte: {clusterId: x}}       | schemes.eightbyte.clusterId must be 0..15: x
            schemes: {sno: {shards: 3}}                | schemes.sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3
            schemes: {sno: {partition: 65535}}         | schemes.sno.partition + sno.partitions must be 1..65536: 65535 + 256
            schemes: {uid60: {longestTenureSeconds: 3601}} | schemes.uid60.longestTenureSeconds must be 10..3600: 3601
            schemes: {gid: {type: file}}               | schemes.gid.type must be one of volume, log, segment: file
            schemes: {eightbyte: {cluster: 4}}         | schemes.eightbyte has no key cluster; it has clusterId, onePerMillisecond, leases, maxCount
            schemes: {muid: {medallion: 1}}            | schemes.muid has no key medallion; it has leases, maxCount
            schemes: {uid60: {maxCount: 0}}            | schemes.uid60.maxCount must be 1..100000: 0
            schemes: {sno: {maxCount: 100000001}}      | schemes.sno.maxCount must be 1..100000000: 100000001
            schemes: {uid60: {leases: 0}}              | schemes.uid60.leases must be 1..64: 0
            schemes: {uid60: {leases: 65}}             | schemes.uid60.leases must be 1..64: 65
            schemes: {uid60: {leases: -1}}             | schemes.uid60.leases must be 1..64: -1
            schemes: {sno: {partitions: 1, leases: 5}} | schemes.sno.leases must be 1..4: 5
            schemes: {gid: {leases: 2}}                | schemes.gid has no key leases; it has type, maxCount
            cors: {allowedOrigins: [shop.example.com]} | cors.allowedOrigins[0] must be "*" or an origin such as https://shop.example.com:8443, without a path: shop.example.com
            cors: {allowedOrigins: ['https://a.example/']} | cors.allowedOrigins[0] must be "*" or an origin such as https://shop.example.com:8443, without a path: https://a.example/
            admin: {token: too-short}                  | admin.token must be 16 characters or more of [A-Za-z0-9._~+/=-] (the value is not shown)
            admin: {token: sixteen-of-these, tokenFile: /t} | admin.token must be left out where admin.tokenFile names a file that has it
            admin: {tokenFile: /nonexistent}           | admin.tokenFile must name a file that can be read: /nonexistent (NoSuchFileException)
            admin: {tokenFile: /dev/null}              | admin.tokenFile must name a file that has 16 characters or more of [A-Za-z0-9._~+/=-] (what it has is not shown): /dev/null
            admin: {tokenFile: token}                  | admin.tokenFile must be an absolute path: token
            admin: {hosts: ['ids.example:8081']}       | admin.hosts[0] must be a host name such as ids.example.com, without a port: ids.example:8081
            schemes: {snow: {}}                        | schemes has no key snow; did you mean sno?
            schemes: {}                                | schemes must have one of sno, muid, eightbyte, uid60, gid, or be left out: it is empty
            window: 11s                                | window must be at most the session timeout of 10000 ms: 11000 ms
            window: 0s                                 | window must be positive: 0 ms
            maxWait: 0s                                | maxWait must be positive: 0 ms
            instance: a b                              | instance must be 1..100 of [A-Za-z0-9._-]: a b
            zookeeper: {root: here}                    | zookeeper.root must be an absolute path such as /id-allocator: here
            zookeeper: {sessionTimeout: 1ms}           | zookeeper.sessionTimeout must be 1 s or more: 1 ms
            zookeeper: {connect: 'h:1', embedded: {enabled: true}} | zookeeper.connect must be left out when zookeeper.embedded.enabled is true: h:1
            """)
    void shouldEndWithOneLineWhenAValueIsBad(String setting, String message) throws IOException {
        Files.writeString(file, "allocator:\n  " + setting + "\n");

        assertEquals(new CommandLine.Outcome(true, "", file + ": allocator." + message + "\n"), run(List.of("check")));
    }

    /** What a variable says is text in the shipped files, so leading zeros do not make it octal. */
    @Test
    void shouldReadANumberInQuotesAsADecimalOne() throws IOException {
        Files.writeString(file, "allocator: {schemes: {eightbyte: {clusterId: '018'}}}\n");

        assertEquals(
                new CommandLine.Outcome(
                        true, "", file + ": allocator.schemes.eightbyte.clusterId must be 0..15: 018\n"),
                run(List.of("check")));
    }

    /** A command that took a misspelt key for nothing would go on with the default: another window, another root. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            windw: 5s   | Unrecognized field at: allocator.windw Did you mean?: window
            window: 0s  | allocator.window must be positive: 0 ms
            """)
    void shouldRefuseTheFileForEveryCommand(String setting, String message) throws IOException {
        Files.writeString(file, "allocator:\n  " + setting + "\n");

        for (List<String> command : COMMANDS) {
            CommandLine.Outcome outcome = run(command);
            assertTrue(outcome.failed(), command::toString);
            assertTrue(outcome.error().startsWith(file + ": " + message), () -> command + ": " + outcome.error());
            assertEquals(1, outcome.error().lines().count(), outcome.error());
        }
    }

    private CommandLine.Outcome run(List<String> command) {
        return CommandLine.run(
                Stream.concat(command.stream(), Stream.of(file.toString())).toArray(String[]::new));
    }

    @Test
    void shouldSayThatThereIsNoSuchFile() {
        assertEquals(
                new CommandLine.Outcome(true, "", "File " + file + " not found\n"),
                CommandLine.run("server", file.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldAcceptWhatIsShipped(String name) {
        CommandLine.Outcome outcome =
                CommandLine.run("check", CONFIG.resolve(name).toString());

        assertEquals("", outcome.error());
        assertFalse(outcome.failed());
    }

    /** Text is in quotes: what a variable says is that text, and not YAML. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldTakeWhatAVariableSaysAsText(String name) throws IOException {
        String said = "a \"b\" #c: \\d, {e} [f] *g";
        StringSubstitutor variables = new StringSubstitutor(variable -> variable.matches("(ADMIN_)?PORT") ? "1" : said);
        String text = Files.readString(CONFIG.resolve(name));

        JsonNode tree = new YAMLMapper().readTree(variables.replace(text));

        List<String> values = new ArrayList<>();
        collect(tree, values);
        Matcher texts = Pattern.compile("(?m)^ +[^#\n]*'\\$\\{").matcher(text);
        assertEquals(texts.results().count(), Collections.frequency(values, said));
        assertEquals(said, tree.at("/allocator/admin/token").textValue());
    }

    private static void collect(JsonNode node, List<String> values) {
        if (node.isTextual()) {
            values.add(node.textValue());
        }
        node.forEach(child -> collect(child, values));
    }

    /** A client that sends nothing more keeps no connection for long. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldBoundHowLongAConnectionIsSilent(String name) throws IOException {
        JsonNode connector = new YAMLMapper()
                .readTree(Files.readString(CONFIG.resolve(name)))
                .at("/server/applicationConnectors/0");

        assertEquals("30s", connector.path("idleTimeout").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldKeepTheAdminPortToItsOwnMachine(String name) throws IOException {
        JsonNode connector = new YAMLMapper()
                .readTree(Files.readString(CONFIG.resolve(name)))
                .at("/server/adminConnectors/0");

        assertEquals("${ADMIN_HOST:-127.0.0.1}", connector.path("bindHost").asText());
    }

    /** A stop: load balancers notice, requests end, and then the slots are released, for eight seconds at most. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldStopInOrderBeforeDockerLosesPatience(String name) throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        JsonNode shipped = yaml.readTree(Files.readString(CONFIG.resolve(name)));
        JsonNode compose = yaml.readTree(Files.readString(Path.of("..", "docker-compose.yml")));
        assertTrue(shipped.at("/health/delayedShutdownHandlerEnabled").booleanValue());
        long notice = seconds(shipped.at("/health/shutdownWaitPeriod"));
        long grace = seconds(shipped.at("/server/shutdownGracePeriod"));
        long patience = seconds(compose.at("/services/replica/stop_grace_period"));

        assertTrue(notice > 0);
        assertTrue(grace > seconds(shipped.at("/allocator/maxWait")), "whoever waits for an ID gets it");
        assertTrue(notice + grace + 1 < 8, () -> "slots are given back within 8 s: " + notice + " + " + grace);
        assertTrue(notice + grace + 8 < patience, () -> notice + " + " + grace + " + 8 of " + patience);
    }

    private static long seconds(JsonNode duration) {
        return Duration.parse(duration.asText()).toSeconds();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "allocator:",
                "allocator:\n  window:\n  schemes:\n    sno:\n    muid:\n      ",
                "allocator: {cors: {allowedOrigins: [~]}}",
                "server: {}",
                "server: {maxThreads: , applicationConnectors: [{type: http, port: , acceptorThreads: }]}"
            })
    void shouldTakeDefaultsForWhatIsLeftOutOrEmpty(String text) throws IOException {
        Files.writeString(file, "metrics: {}\n" + text + "\n");

        CommandLine.Outcome outcome = CommandLine.run("check", file.toString());
        assertEquals("", outcome.error());
        assertFalse(outcome.failed());
    }

    /** The built-in configuration is the file that operators see: Maven copies it into the jar. */
    @Test
    void shouldBuildInWhatIsShipped() throws IOException {
        try (var builtIn = Objects.requireNonNull(getClass().getResourceAsStream("/standalone.yml"))) {
            assertEquals(
                    Files.readString(CONFIG.resolve("standalone.yml")),
                    new String(builtIn.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenTheDirectoryCannotBeMade() throws IOException {
        Path inTheWay = Files.createFile(directory.resolve("file"));
        Files.writeString(
                file, "allocator: {zookeeper: {embedded: {enabled: true, dataDir: '" + inTheWay + "/data'}}}\n");

        CommandLine.Outcome outcome = CommandLine.run("generate", "sno", "-c", file.toString());
        assertTrue(
                outcome.error().startsWith("zookeeper.embedded.dataDir " + inTheWay + "/data cannot be used: "),
                outcome.error());
        assertEquals(1, outcome.error().lines().count());
    }
}
