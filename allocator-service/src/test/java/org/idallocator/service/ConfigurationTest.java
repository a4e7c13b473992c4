package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.common.collect.ImmutableList;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.util.DataSize;
import io.dropwizard.util.Duration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.text.StringSubstitutor;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
    private static final Path CONFIG = Path.of("..", "config");

    /** Commands that read a configuration; the file's path follows. */
    private static final List<String> COMMANDS =
            List.of("check", "server", "doctor", "generate gid -c", "leases list -c");

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
            schemes: {eightbyte: {clusterId: '018'}}   | schemes.eightbyte.clusterId must be 0..15: 018
            schemes: {sno: {shards: 3}}                | schemes.sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3
            schemes: {sno: {partition: 65535}}         | schemes.sno.partition + sno.partitions must be 1..65536: 65535 + 256
            schemes: {uid60: {longestTenureSeconds: 3601}} | schemes.uid60.longestTenureSeconds must be 10..3600: 3601
            schemes: {gid: {type: file}}               | schemes.gid.type must be one of volume, log, segment: file
            schemes: {eightbyte: {cluster: 4}}         | schemes.eightbyte has no key cluster; it has clusterId, onePerMillisecond, leases, window, maxCount
            schemes: {sno: {maxCount: 100000001}}      | schemes.sno.maxCount must be 1..100000000: 100000001
            schemes: {uid60: {leases: 65}}             | schemes.uid60.leases must be 1..64: 65
            schemes: {sno: {partitions: 1, leases: 5}} | schemes.sno.leases must be 1..4: 5
            schemes: {gid: {leases: 2}}                | schemes.gid has no key leases; it has type, maxCount
            cors: {allowedOrigins: ['https://a.example/']} | cors.allowedOrigins[0] must be "*" or an origin such as https://shop.example.com:8443, without a path: https://a.example/
            admin: {token: sixteen-of-these, tokenFile: /t} | admin.token must be left out where admin.tokenFile names a file that has it
            admin: {tokenFile: /nonexistent}           | admin.tokenFile must name a file that can be read: /nonexistent (NoSuchFileException)
            admin: {tokenFile: /dev/null}              | admin.tokenFile must name a file that has 16 characters or more of [A-Za-z0-9._~+/=-] (what it has is not shown): /dev/null
            admin: {tokenFile: token}                  | admin.tokenFile must be an absolute path: token
            zookeeper: {auth: ["digest:a:b"], authFile: /a} | zookeeper.auth must be left out where zookeeper.authFile names a file that has it
            zookeeper: {authFile: /nonexistent}        | zookeeper.authFile must name a file that can be read: /nonexistent (NoSuchFileException)
            zookeeper: {authFile: /dev/null}           | zookeeper.authFile must name a file whose lines are scheme:credentials, such as digest:user:password (what it has is not shown): /dev/null
            zookeeper: {authFile: credentials}         | zookeeper.authFile must be an absolute path: credentials
            schemes: {}                                | schemes must have one of sno, muid, eightbyte, uid60, gid, or be left out: it is empty
            zookeeper: {embedded: {enabled: true, dataDir: ./data}} | zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ where the user has a home directory: ./data
            zookeeper: {embedded: {enabled: true, dataDir: ~ada/data}} | zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ where the user has a home directory: ~ada/data
            zookeeper: {connect: 'h:1', embedded: {enabled: true}} | zookeeper.connect must be left out when zookeeper.embedded.enabled is true: h:1
            """)
    void shouldEndWithOneLineWhenAValueIsBad(String setting, String message) throws IOException {
        Files.writeString(file, "allocator:\n  " + setting + "\n");

        assertEquals(new CommandLine.Outcome(true, "", file + ": allocator." + message + "\n"), run("check"));
    }

    /** A command that took a misspelt key for nothing would go on with the default: another window, another root. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            windw: 5s   | Unrecognized field at: allocator.windw Did you mean?: window
            window: 0s  | allocator.window must be positive: 0 ms
            """)
    void shouldRefuseTheFileForEveryCommand(String setting, String message) throws IOException {
        Files.writeString(file, "allocator:\n  " + setting + "\n");

        for (String command : COMMANDS) {
            CommandLine.Outcome outcome = run(command);
            assertTrue(outcome.failed(), command);
            assertTrue(outcome.error().startsWith(file + ": " + message), () -> command + ": " + outcome.error());
            assertEquals(1, outcome.error().lines().count(), outcome.error());
        }
    }

    private CommandLine.Outcome run(String command) {
        return CommandLine.run((command + " " + file).split(" ", -1));
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

    /**
     * A key of one of them that is set on the command line, as in -Ddw.allocator.schemes.sno.leases=2, would else leave
     * out the others.
     */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldNameEveryScheme(String name) throws IOException {
        JsonNode schemes =
                new YAMLMapper().readTree(CONFIG.resolve(name).toFile()).at("/allocator/schemes");

        assertEquals(Schemes.all().stream().map(Scheme::name).toList(), ImmutableList.copyOf(schemes.fieldNames()));
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

    /** A client that sends nothing more keeps no connection for long, and the admin port is for its own machine. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldBoundWhoAsksAndForHowLong(String name) throws IOException {
        DefaultServerFactory server = (DefaultServerFactory) shipped(name).getServerFactory();
        HttpConnectorFactory application =
                (HttpConnectorFactory) server.getApplicationConnectors().get(0);
        HttpConnectorFactory admin =
                (HttpConnectorFactory) server.getAdminConnectors().get(0);
        JsonNode written = new YAMLMapper().readTree(Files.readString(CONFIG.resolve(name)));

        assertEquals(Duration.seconds(30), application.getIdleTimeout());
        assertEquals(DataSize.kibibytes(8), application.getMaxRequestHeaderSize());
        assertEquals(DataSize.kibibytes(8), admin.getMaxRequestHeaderSize());
        assertEquals("127.0.0.1", admin.getBindHost());
        assertEquals(
                "${ADMIN_HOST:-127.0.0.1}",
                written.at("/server/adminConnectors/0/bindHost").asText());
    }

    /** As a Secret of Kubernetes gives them: as a variable, or as a file whose name is one. */
    @Test
    void shouldShowTheCredentialsThatAVariableHasOrTheFileThatItNames() throws IOException {
        Files.writeString(file, "digest:in:file\n");

        assertEquals(List.of(), auth(Map.of()));
        assertEquals(List.of("digest:a:b"), auth(Map.of("ZOOKEEPER_AUTH", "digest:a:b")));
        assertEquals(List.of("digest:in:file"), auth(Map.of("ZOOKEEPER_AUTH_FILE", file.toString())));
    }

    private static List<String> auth(Map<String, String> variables) throws IOException {
        return shipped("cluster.yml", variables)
                .allocator()
                .settings()
                .zookeeper()
                .auth();
    }

    /** What a shipped file says where no variable is set. */
    private static AllocatorConfiguration shipped(String name) throws IOException {
        return shipped(name, Map.of());
    }

    private static AllocatorConfiguration shipped(String name, Map<String, String> variables) throws IOException {
        String text = Files.readString(CONFIG.resolve(name));
        return Jackson.newObjectMapper(new YAMLFactory())
                .readValue(new StringSubstitutor(variables).replace(text), AllocatorConfiguration.class);
    }

    /** A stop: load balancers notice, requests end, and then the slots are released, for eight seconds at most. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldStopInOrderBeforeDockerOrKubernetesLosesPatience(String name) throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        JsonNode shipped = yaml.readTree(Files.readString(CONFIG.resolve(name)));
        JsonNode compose = yaml.readTree(Files.readString(Path.of("..", "docker-compose.yml")));
        assertTrue(shipped.at("/health/delayedShutdownHandlerEnabled").booleanValue());
        long notice = seconds(shipped.at("/health/shutdownWaitPeriod"));
        long grace = seconds(shipped.at("/server/shutdownGracePeriod"));
        long patience = seconds(compose.at("/services/replica/stop_grace_period"));
        JsonNode pod = yaml.readTree(Files.readString(CONFIG.resolve("kubernetes/deployment.yaml")))
                .at("/spec/template/spec");
        long before = pod.at("/containers/0/lifecycle/preStop/sleep/seconds").asLong();
        long patienceOfKubernetes = pod.path("terminationGracePeriodSeconds").asLong();

        assertTrue(notice > 0);
        long longestWait = shipped(name).allocator().settings().maxWait().toSeconds();
        assertTrue(grace > longestWait, "whoever waits for an ID gets it");
        assertTrue(notice + grace + 1 < 8, () -> "slots are given back within 8 s: " + notice + " + " + grace);
        assertTrue(notice + grace + 8 < patience, () -> notice + " + " + grace + " + 8 of " + patience);
        assertTrue(before > 0);
        assertTrue(before + notice + grace + 8 < patienceOfKubernetes, () -> "of " + patienceOfKubernetes);
    }

    private static long seconds(JsonNode duration) {
        return Duration.parse(duration.asText()).toSeconds();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allocator:\n  window:\n  schemes:\n    sno:\n    muid:\n      ",
                "allocator: {cors: {allowedOrigins: [~]}}",
                "server: {maxThreads: , applicationConnectors: [{type: http, port: , acceptorThreads: }]}",
                "server: {type: simple, connector: {type: http, bindHost: 127.0.0.1}}",
                "server: {type: simple, connector: {type: http, bindHost: localhost}}",
                "allocator: {instance: '${NOPE_NOPE:-}', zookeeper: {connect: '${NOPE_NOPE:-zk:2181}',"
                        + " auth: ['${NOPE_NOPE:-digest:a:b}', 'digest:user:$${password}']}}"
            })
    void shouldTakeDefaultsForWhatIsLeftOutOrEmpty(String text) throws IOException {
        Files.writeString(file, "metrics: {}\n" + text + "\n");
        CommandLine.Outcome outcome = run("check");
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

    /** As the JVM has it for a user without an entry in /etc/passwd. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?"})
    void shouldRefuseTheHomeDirectoryOfAUserWhoHasNone(String none) throws IOException {
        Files.writeString(file, "allocator: {zookeeper: {embedded: {enabled: true}}}\n");
        String home = System.getProperty("user.home");
        System.setProperty("user.home", none);
        try {
            assertEquals(
                    new CommandLine.Outcome(
                            true,
                            "",
                            file
                                    + ": allocator.zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ where the"
                                    + " user has a home directory: ~/.id-allocator\n"),
                    run("check"));
        } finally {
            System.setProperty("user.home", home);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "generate sno -c"})
    void shouldSayWhatIsMissingWhenTheDirectoryCannotBeMade(String command) throws IOException {
        Path inTheWay = Files.createFile(directory.resolve("file"));
        Files.writeString(
                file, "allocator: {zookeeper: {embedded: {enabled: true, dataDir: '" + inTheWay + "/data'}}}\n");
        String error = run(command).error();
        assertTrue(error.startsWith("zookeeper.embedded.dataDir " + inTheWay + "/data cannot be used: "), error);
        assertEquals(1, error.lines().count());
    }
}
