package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that cannot be used: {@code check} and {@code server} say all that is wrong, in whole lines and in the file's own words. */
class BadFilesTest {
    private static final String CONNECT =
            "zookeeper.connect must be host:port,host:port and a chroot if there is one, as in zk1:2181,zk2:2181/ids: ";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private String error(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), text);
        CommandLine.Outcome checked = CommandLine.run("check", file.toString());
        assertTrue(checked.failed(), text);
        assertEquals(checked.error(), CommandLine.run("server", file.toString()).error());
        assertEquals("", checked.output());
        return checked.error()
                .lines()
                .map(line -> line.replaceFirst("^\\Q" + file + ": \\E", ""))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://zk1:2181        | leave out http://
            a:1;b:2                | hosts are separated by commas
            zk:70000               | a port is 1..65535: 70000
            zk:0                   | a port is 1..65535: 0
            zk:                    | 'a port is 1..65535: '
            zk:port                | a port is 1..65535: port
            'a:1, b:2'             | leave out the blanks
            'a:1,,b:2'             | a host is missing
            :2181                  | a host is missing
            ','                    | a host is missing
            /ids                   | a host is missing
            zk:2181/               | a chroot is a path such as /ids: /
            zk:2181//              | a chroot is a path such as /ids: //
            zk:2181/ids/           | a chroot is a path such as /ids: /ids/
            zk:2181/a//b           | a chroot is a path such as /ids: /a//b
            zk:2181/a/../b         | a chroot is a path such as /ids: /a/../b
            zk1:2181/ids,zk2:2181  | the chroot comes once, at the end
            ::1                    | an IPv6 address is in brackets, as in [::1]:2181: ::1
            fe80::1:2181           | an IPv6 address is in brackets, as in [::1]:2181: fe80::1:2181
            [zk]:2181              | [zk] is no IPv6 address
            [::1:2181              | an IPv6 address is in brackets, as in [::1]:2181: [::1:2181
            [::1]:0                | a port is 1..65535: 0
            256.1.1.1:2181         | no host has this name: 256.1.1.1
            2181                   | no host has this name: 2181
            user@zk:2181           | no host has this name: user@zk
            zk..example:2181       | no host has this name: zk..example
            """)
    void shouldSayWhatIsWrongWithAnAddress(String connect, String why) throws IOException {
        assertEquals(
                CONNECT + connect + " (" + why + ")", error("allocator: {zookeeper: {connect: '" + connect + "'}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk",
                "zk:2181",
                "zk1:2181,zk2:2181,zk3:2181",
                "zk1,zk2:2182/ids/of/mine",
                "[::1]:2181",
                "[fe80::1],zk:1",
                "10.0.0.1:2181",
                "zk_1:2181",
                "zk-0.zk.default.svc.cluster.local.:2181",
                "zk:65535"
            })
    void shouldTakeAnAddress(String connect) throws IOException {
        Path file = Files.writeString(
                directory.resolve("config.yml"), "allocator: {zookeeper: {connect: '" + connect + "'}}");

        assertEquals("", CommandLine.run("check", file.toString()).error());
    }

    /** A file, and what is said of it, line by line. */
    private static Arguments bad(String file, String... lines) {
        return arguments(file, String.join("\n", lines));
    }

    static Stream<Arguments> files() {
        return Stream.concat(values(), Stream.concat(kinds(), keys()));
    }

    /** Values that a section refuses. */
    private static Stream<Arguments> values() {
        return Stream.of(
                bad(
                        "allocator: {zookeeper: {auth: [digest]}}",
                        "zookeeper.auth[0] must be scheme:credentials, such as digest:user:password (the value is not"
                                + " shown)"),
                bad(
                        "allocator: {zookeeper: {auth: ['x509:a', 'digest:secret']}}",
                        "zookeeper.auth[1] must be digest:user:password (the value is not shown)"),
                bad(
                        "allocator: {zookeeper: {auth: ['digest::secret', ':secret', 'digest:', 'digest:u:']}}",
                        "zookeeper.auth[0] must be digest:user:password (the value is not shown)",
                        "zookeeper.auth[1] must be scheme:credentials, such as digest:user:password (the value is"
                                + " not shown)",
                        "zookeeper.auth[2] must be scheme:credentials, such as digest:user:password (the value is"
                                + " not shown)",
                        "zookeeper.auth[3] must be digest:user:password (the value is not shown)"),
                bad(
                        "allocator: {zookeeper: {root: /ids/}}",
                        "zookeeper.root must be an absolute path such as /id-allocator: /ids/"),
                bad(
                        "allocator: {zookeeper: {root: /ids/..}}",
                        "zookeeper.root must be an absolute path such as /id-allocator: /ids/.."),
                bad(
                        "allocator: {zookeeper: {root: 5}}",
                        "zookeeper.root must be an absolute path such as /id-allocator: 5"),
                bad(
                        "allocator: {zookeeper: {root: /zookeeper/ids}}",
                        "zookeeper.root must not be /zookeeper, which is ZooKeeper's own: /zookeeper/ids"),
                bad(
                        "allocator: {zookeeper: {properties: {zookeeper.ssl.truststore.location: /x}}}",
                        "zookeeper.properties: ZooKeeper's client knows no zookeeper.ssl.truststore.location; did you mean"
                                + " zookeeper.ssl.trustStore.location?"),
                bad(
                        "allocator: {zookeeper: {properties: {zookeeper.client.secure: 'on'}}}",
                        "zookeeper.properties: zookeeper.client.secure must be true or false: on"),
                bad(
                        "allocator: {zookeeper: {properties: {zookeeper.client.secure: true}}}",
                        "zookeeper.properties: zookeeper.client.secure does nothing without zookeeper.clientCnxnSocket:"
                                + " org.apache.zookeeper.ClientCnxnSocketNetty"),
                bad(
                        "allocator: {url: localhost}",
                        "url must be where this replica answers HTTP, such as" + " http://host:8080: localhost"),
                bad("allocator: {maxWait: 61m}", "maxWait must be at most 3600000 ms: 3660000 ms"),
                bad("allocator: {maxWait: 100us}", "maxWait must be 1 ms or more: 100000 ns"),
                bad(
                        "allocator: {window: 9999999999999d}",
                        "window must be at most 60000 ms: 9223372036854 ms; after a loss of data in ZooKeeper everybody waits"
                                + " for the largest that is allowed"),
                bad(
                        "allocator: {window: 0s, maxClockSkew: 11s, instance: a b, zookeeper: {connect: 'zk:0', root: x},"
                                + " schemes: {sno: {shards: 3}, muid: {a: 1}}}",
                        "sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3",
                        "muid has no option a; it has [maxCount]",
                        CONNECT + "zk:0 (a port is 1..65535: 0)",
                        "zookeeper.root must be an absolute path such as /id-allocator: x",
                        "instance must be 1..100 of [A-Za-z0-9._-]: a b",
                        "window must be positive: 0 ms",
                        "maxClockSkew must be at most 10000 ms: 11000 ms; after a loss of data in ZooKeeper everybody waits"
                                + " for the largest that is allowed"),
                bad(
                        "allocator: {schemes: {sno: {maxCount: 0}, uid60: {maxCount: x}}, cors: {allowedOrigins: [a.example,"
                                + " 'https://b.example', 'https://c.example/']}, window: 0s}",
                        "sno.maxCount must be 1..100000000: 0",
                        "uid60.maxCount must be 1..100000: x",
                        "cors.allowedOrigins must be \"*\" or origins such as https://shop.example.com:8443, without a path:"
                                + " a.example",
                        "cors.allowedOrigins must be \"*\" or origins such as https://shop.example.com:8443, without a path:"
                                + " https://c.example/",
                        "window must be positive: 0 ms"));
    }

    /** Values of another kind than the key's. */
    private static Stream<Arguments> kinds() {
        return Stream.of(
                bad(
                        "allocator:\n  zookeeper:\n    sessionTimeout: 10",
                        "line 3: allocator.zookeeper.sessionTimeout must be a number and a unit, such as 10s or 500ms: 10;"
                                + " write 10s"),
                bad(
                        "allocator: {window: '10'}",
                        "line 1: allocator.window must be a number and a unit, such as 10s or 500ms: 10; write 10s"),
                bad(
                        "allocator: {window: soon}",
                        "line 1: allocator.window must be a number and a unit, such as 10s or 500ms: soon"),
                bad(
                        "allocator: {window: -10s}",
                        "line 1: allocator.window must be a number and a unit, such as 10s or 500ms: -10s"),
                bad(
                        "allocator: {window: [10s]}",
                        "line 1: allocator.window must be a number and a unit, such as 10s or 500ms, not a list"),
                bad(
                        "allocator: {window: {seconds: 10}}",
                        "line 1: allocator.window must be a number and a unit, such as 10s or 500ms, not keys of its own"),
                bad(
                        "allocator: {zookeeper: {embedded: {port: x, enabled: maybe}}}",
                        "line 1: allocator.zookeeper.embedded.port must be a whole number: x",
                        "line 1: allocator.zookeeper.embedded.enabled must be true or false: maybe"),
                bad(
                        "allocator: {zookeeper: {embedded: {port: 1.5}}}",
                        "line 1: allocator.zookeeper.embedded.port must be a whole number: 1.5"),
                bad(
                        "allocator: {zookeeper: {auth: 'digest:user:secret'}}",
                        "line 1: allocator.zookeeper.auth must be a list (the value is not shown)"),
                bad(
                        "allocator: {zookeeper: {root: [a]}}",
                        "line 1: allocator.zookeeper.root must be a text, not a list"),
                bad("allocator: [1]", "line 1: allocator must have keys of its own, not a list"),
                bad("allocator: text", "line 1: allocator must have keys of its own: text"),
                bad("allocator: {schemes: [sno]}", "line 1: allocator.schemes must have keys of its own, not a list"),
                bad("allocator: {schemes: {sno: 5}}", "line 1: allocator.schemes.sno must have keys of its own: 5"),
                bad(
                        "server:\n  applicationConnectors:\n    - type: htp\n      port: 8080",
                        "line 3: server.applicationConnectors[0].type must be one of http, https: htp"),
                bad(
                        "server:\n  applicationConnectors:\n    - port: 8080",
                        "line 3: server.applicationConnectors[0] must have a type, one of http, https"),
                bad(
                        "server:\n  applicationConnectors:\n    - type: http\n      port: eighty",
                        "line 4: server.applicationConnectors[0].port must be a whole number: eighty"),
                bad(
                        "health: {shutdownWaitPeriod: 3}",
                        "line 1: health.shutdownWaitPeriod must be a number and a unit, such as 10s or 500ms: 3; write 3s"));
    }

    /** Keys that do not exist, variables that are not set, and text that is no YAML. */
    private static Stream<Arguments> keys() {
        return Stream.of(
                bad("servers: {}", "line 1: the file has no key servers; did you mean server?"),
                bad(
                        "allocator:\n  zookeper: {}\n  windo: 5s\nhelth: {}",
                        "line 2: allocator has no key zookeper; did you mean zookeeper?",
                        "line 3: allocator has no key windo; did you mean window?",
                        "line 4: the file has no key helth; did you mean health?"),
                bad(
                        "allocator: {zookeeper: {password: secret}}",
                        "line 1: allocator.zookeeper has no key password; it has auth, embedded, root, connect, properties,"
                                + " sessionTimeout"),
                bad(
                        "server:\n  applicationConnectors:\n    - port: 8080\n      type: http\n      prot: 1",
                        "line 5: server.applicationConnectors[0] has no key prot; did you mean port?"),
                bad(
                        "allocator: {zookeeper: {connect: '${NOPE_NOPE}:2181'}}",
                        "line 1: allocator.zookeeper.connect needs the environment variable NOPE_NOPE, which is not set; set"
                                + " it, or give a default, as in ${NOPE_NOPE:-default}"),
                bad(
                        "allocator: {zookeeper: {auth: ['digest:user:${NOPE_NOPE}'], properties: {a: '${NOPE_B}'}}}\n"
                                + "server: {applicationConnectors: [{type: http, port: '${NOPE_C}'}]}",
                        "line 1: allocator.zookeeper.auth[0] needs the environment variable NOPE_NOPE, which is not set; set"
                                + " it, or give a default, as in ${NOPE_NOPE:-default}",
                        "line 1: allocator.zookeeper.properties.a needs the environment variable NOPE_B, which is"
                                + " not set; set it, or give a default, as in ${NOPE_B:-default}",
                        "line 2: server.applicationConnectors[0].port needs the environment variable NOPE_C, which"
                                + " is not set; set it, or give a default, as in ${NOPE_C:-default}"),
                bad("allocator:\n  window: 10s\n  window: 5s", "line 3: allocator.window is there already, in line 2"),
                bad(
                        "allocator:\n  window: 10s\n   maxWait: 2s",
                        "line 3, column 11: no YAML: mapping values are not allowed here"),
                bad(
                        "allocator:\n\twindow: 10s",
                        "line 2, column 1: no YAML: found character '\\t(TAB)' that cannot start any token. (Do not use"
                                + " \\t(TAB) for indentation)"),
                bad("allocator: {window: 10s", "line 1, column 24: no YAML: expected ',' or '}', but got <stream end>"),
                bad("", "the file is empty; leave it out to run on the defaults, or write what differs"),
                bad("# nothing", "the file is empty; leave it out to run on the defaults, or write what differs"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void shouldSayAllThatIsWrong(String text, String expected) throws IOException {
        String error = error(text);

        assertEquals(expected, error);
        assertFalse(error.contains("secret"), error);
    }

    /** A comment is no value, {@code $$} marks what is no variable, and a variable with a default is set. */
    @Test
    void shouldTakeWhatIsNoVariable() throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), """
                # ${NOPE_NOPE} in a comment
                allocator:
                  instance: ${NOPE_NOPE:-}
                  zookeeper:
                    connect: ${NOPE_NOPE:-zk:2181}
                    auth: [ '${NOPE_NOPE:-digest:a:b}', 'digest:user:$${password}' ]
                    properties:
                      zookeeper.ssl.trustStore.password: ${NOPE_NOPE:-}
                """);

        assertEquals("", CommandLine.run("check", file.toString()).error());
    }

    /** Setters that Dropwizard's classes have for themselves, and keys of theirs that are out of use. */
    @ParameterizedTest
    @ValueSource(strings = {"serverFactory: {}", "loggingFactory: {}", "healthFactory: {}", "allocatorSection: {}"})
    void shouldTakeNoSetterForAKey(String text) throws IOException {
        String name = text.substring(0, text.indexOf(':'));

        assertTrue(error(text).startsWith("line 1: the file has no key " + name + "; "), error(text));
    }

    @Test
    void shouldOfferOnlyWhatMayBeWritten() throws IOException {
        List<String> offered =
                List.of(error("zzzzzzzzzzzzzzzzzz: 1").split("it has ", 2)[1].split(", ", -1));

        assertEquals(
                List.of("admin", "allocator", "health", "logging", "metrics", "server"),
                offered.stream().sorted().toList());
    }
}
