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
            "line 1: allocator.zookeeper.connect must be host:port,host:port and a chroot if there is one, as in zk1:2181,zk2:2181/ids: ";

    private static final String ONE_PORT =
            "the file: server.type simple has the admin pages on the application's own port, and whoever reaches that reads where"
                    + " replicas run; write type: default, or bindHost: 127.0.0.1 for its connector, or say that it is meant so, by"
                    + " allocator.admin.onApplicationPort: true";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private String error(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), text);
        CommandLine.Outcome checked = CommandLine.run("check", file.toString());
        assertTrue(checked.failed(), text);
        assertEquals("", checked.output());
        return checked.error()
                .lines()
                .map(line -> line.replaceFirst("^\\Q" + file + ": \\E", ""))
                .collect(Collectors.joining("\n"));
    }

    /** A file, and what is said of it, line by line. */
    private static Arguments bad(String file, String... lines) {
        return arguments(file, String.join("\n", lines));
    }

    static Stream<Arguments> files() {
        return Stream.concat(
                Stream.concat(values(), threads()),
                Stream.concat(Stream.concat(kinds(), dropwizards()), Stream.concat(keys(), secrets())));
    }

    /** Values that a section refuses. */
    private static Stream<Arguments> values() {
        return Stream.of(
                bad(
                        "allocator: {zookeeper: {connect: 'a:1;b:2'}}",
                        CONNECT + "a:1;b:2 (hosts are separated by commas)"),
                bad(
                        "allocator: {zookeeper: {auth: [digest]}}",
                        "line 1: allocator.zookeeper.auth[0] must be scheme:credentials, such as digest:user:password (the value is not"
                                + " shown)"),
                bad(
                        "allocator: {zookeeper: {auth: ['x509:a', 'digest:secret']}}",
                        "line 1: allocator.zookeeper.auth[1] must be digest:user:password (the value is not shown)"),
                bad(
                        "allocator: {zookeeper: {auth: ['digest::secret', ':secret', 'digest:', 'digest:u:']}}",
                        "line 1: allocator.zookeeper.auth[0] must be digest:user:password (the value is not shown)",
                        "line 1: allocator.zookeeper.auth[1] must be scheme:credentials, such as digest:user:password (the value is"
                                + " not shown)",
                        "line 1: allocator.zookeeper.auth[2] must be scheme:credentials, such as digest:user:password (the value is"
                                + " not shown)",
                        "line 1: allocator.zookeeper.auth[3] must be digest:user:password (the value is not shown)"),
                bad(
                        "allocator: {zookeeper: {root: /ids/}}",
                        "line 1: allocator.zookeeper.root must be an absolute path such as /id-allocator: /ids/"),
                bad(
                        "allocator: {zookeeper: {root: /ids/..}}",
                        "line 1: allocator.zookeeper.root must be an absolute path such as /id-allocator: /ids/.."),
                bad(
                        "allocator: {zookeeper: {root: 5}}",
                        "line 1: allocator.zookeeper.root must be an absolute path such as /id-allocator: 5"),
                bad(
                        "allocator: {zookeeper: {root: /zookeeper/ids}}",
                        "line 1: allocator.zookeeper.root must not be /zookeeper, which is ZooKeeper's own: /zookeeper/ids"),
                bad(
                        "allocator: {zookeeper: {properties: {zookeeper.ssl.truststore.location: /x}}}",
                        "line 1: allocator.zookeeper.properties has no key zookeeper.ssl.truststore.location; did you mean"
                                + " zookeeper.ssl.trustStore.location?"),
                bad(
                        "allocator: {zookeeper: {properties: {zookeeper.client.secure: 'on'}}}",
                        "line 1: allocator.zookeeper.properties.zookeeper.client.secure must be true or false: on"),
                bad(
                        "allocator: {zookeeper: {properties: {zookeeper.client.secure: true}}}",
                        "line 1: allocator.zookeeper.properties.zookeeper.clientCnxnSocket must be"
                                + " org.apache.zookeeper.ClientCnxnSocketNetty where zookeeper.client.secure is true, as no"
                                + " other speaks TLS: left out"),
                bad(
                        "allocator: {url: localhost}",
                        "line 1: allocator.url must be where this replica answers HTTP, such as"
                                + " http://host:8080: localhost"),
                bad("allocator: {maxWait: 61m}", "line 1: allocator.maxWait must be at most 3600000 ms: 3660000 ms"),
                bad("allocator: {maxWait: 100us}", "line 1: allocator.maxWait must be 1 ms or more: 100000 ns"),
                bad(
                        "allocator: {window: 9999999999999d}",
                        "line 1: allocator.window must be at most 60000 ms: 9223372036854 ms; after a loss of data in ZooKeeper everybody waits"
                                + " for the largest that is allowed"),
                bad(
                        "allocator: {window: 0s, maxClockSkew: 11s, instance: a b, zookeeper: {connect: 'zk:0', root: x},"
                                + " schemes: {sno: {shards: 3}, muid: {a: 1}}}",
                        "line 1: allocator.schemes.sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3",
                        "line 1: allocator.schemes.muid has no key a; it has leases, maxCount",
                        CONNECT + "zk:0 (a port is 1..65535: 0)",
                        "line 1: allocator.zookeeper.root must be an absolute path such as /id-allocator: x",
                        "line 1: allocator.instance must be 1..100 of [A-Za-z0-9._-]: a b",
                        "line 1: allocator.window must be positive: 0 ms",
                        "line 1: allocator.maxClockSkew must be at most 10000 ms: 11000 ms; after a loss of data in ZooKeeper everybody waits"
                                + " for the largest that is allowed"),
                bad(
                        "allocator: {schemes: {sno: {shards: 3, leases: {min: x, most: 2}}, muid: {leases: [1]},"
                                + " eightbyte: {maxCount: 0, leases: {min: 0, max: 99}}, uid60: {leases: {min: 65}}}, window: 0s}",
                        "line 1: allocator.schemes.sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3",
                        "line 1: allocator.schemes.sno.leases has no key most; it has max, min",
                        "line 1: allocator.schemes.sno.leases.min must be 1..64: x",
                        "line 1: allocator.schemes.muid.leases must be a least and a largest number, as in {min: 1, max: 8}: [1]",
                        "line 1: allocator.schemes.eightbyte.maxCount must be 1..10000000: 0",
                        "line 1: allocator.schemes.eightbyte.leases.min must be 1..64: 0",
                        "line 1: allocator.schemes.eightbyte.leases.max must be 1..64: 99",
                        "line 1: allocator.schemes.uid60.leases.min must be 1..64: 65",
                        "line 1: allocator.window must be positive: 0 ms"),
                bad(
                        "allocator: {schemes: {sno: {maxCount: 0}, uid60: {maxCount: x}}, cors: {allowedOrigins: [a.example,"
                                + " 'https://b.example', 'https://c.example/']}, window: 0s}",
                        "line 1: allocator.schemes.sno.maxCount must be 1..100000000: 0",
                        "line 1: allocator.schemes.uid60.maxCount must be 1..100000: x",
                        "line 1: allocator.cors.allowedOrigins[0] must be \"*\" or an origin such as https://shop.example.com:8443, without a path:"
                                + " a.example",
                        "line 1: allocator.cors.allowedOrigins[2] must be \"*\" or an origin such as https://shop.example.com:8443, without a path:"
                                + " https://c.example/",
                        "line 1: allocator.window must be positive: 0 ms"));
    }

    /** Values of another kind than the key's. */
    private static Stream<Arguments> kinds() {
        return Stream.of(
                bad(
                        "allocator:\n  zookeeper:\n    sessionTimeout: 10",
                        "line 3: allocator.zookeeper.sessionTimeout must be a number and a unit, such as 10s or 500ms: 10;"
                                + " write 10s"),
                bad( // and not that the window is longer than the default
                        "allocator: {zookeeper: {sessionTimeout: ten}, window: 20s}",
                        "line 1: allocator.zookeeper.sessionTimeout must be a number and a unit, such as 10s or 500ms: ten"),
                bad( // but what the other value only mentions is told
                        "allocator: {zookeeper: {sessionTimeout: ten}, instance: the session timeout}",
                        "line 1: allocator.zookeeper.sessionTimeout must be a number and a unit, such as 10s or 500ms: ten",
                        "line 1: allocator.instance must be 1..100 of [A-Za-z0-9._-]: the session timeout"),
                bad( // nor that the file names no scheme
                        "allocator:\n  window: abc\n  maxWait: 2h\n  zookeeper:\n    sessionTimeout: 10\n"
                                + "    connect: http://zk1:2181\n    properties: {a.b: 1}\n  schemes:\n    snoo: {}\n    sno: 5",
                        "line 2: allocator.window must be a number and a unit, such as 10s or 500ms: abc",
                        "line 3: allocator.maxWait must be at most 3600000 ms: 7200000 ms",
                        "line 5: allocator.zookeeper.sessionTimeout must be a number and a unit, such as 10s or 500ms: 10;"
                                + " write 10s",
                        CONNECT.replace("line 1", "line 6") + "http://zk1:2181 (leave out http://)",
                        "line 7: allocator.zookeeper.properties has no key a.b; did you mean jute.maxbuffer?",
                        "line 9: allocator.schemes has no key snoo; did you mean sno?",
                        "line 10: allocator.schemes.sno must have keys of its own, not a single value"),
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
                        "line 1: allocator.zookeeper.auth must be a list, not a single value"),
                bad(
                        "allocator: {zookeeper: {root: [a]}}",
                        "line 1: allocator.zookeeper.root must be a text, not a list"),
                bad("allocator: [1]", "line 1: allocator must have keys of its own, not a list"),
                bad("allocator: text", "line 1: allocator must have keys of its own, not a single value"),
                bad("allocator: {schemes: [sno]}", "line 1: allocator.schemes must have keys of its own, not a list"),
                bad(
                        "allocator: {schemes: {sno: 5}}",
                        "line 1: allocator.schemes.sno must have keys of its own, not a single value"),
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

    /** Limits that the server's threads do not allow: health checks would hang. So few threads are divided alike on all machines. */
    private static Stream<Arguments> threads() {
        String requests =
                "line 1: allocator.limits.requests must be 1..2 where server.maxThreads is 15, because connectors and"
                        + " health checks need 13 threads: ";
        return Stream.of(
                bad("allocator: {limits: {requests: 3}}\nserver: {maxThreads: 15}", requests + 3),
                bad(
                        "allocator: {limits: {requests: 15, streams: 0}}\nserver: {maxThreads: 15}",
                        "line 1: allocator.limits.streams must be 1..10000: 0"),
                bad(
                        "allocator: {limits: {requests: 3}}\nserver: {type: simple, maxThreads: 15, connector: {type: http,"
                                + " bindHost: 127.0.0.1, acceptorThreads: 2, selectorThreads: 3}}",
                        "line 1: allocator.limits.requests must be 1..1 where server.maxThreads is 15, because connectors and"
                                + " health checks need 14 threads: 3"),
                bad(
                        "allocator: {limits: {requests: 900}}\nserver: {maxThreads: 0}",
                        "line 2: server.maxThreads must be greater than or equal to 4: 0",
                        "line 2: server: must have a smaller minThreads than maxThreads"));
    }

    /** Values of Dropwizard's own sections, some of which Dropwizard takes for a default without a word. */
    private static Stream<Arguments> dropwizards() {
        return Stream.of(
                bad("server:\n  type: fast", "line 2: server.type must be one of default, simple: fast"),
                bad("server: {type: simple}", ONE_PORT),
                bad("server:\n  type: simple\n  connector: {type: http, bindHost: 0.0.0.0}", ONE_PORT),
                bad(
                        "server:\n  requestLog: {type: nope}",
                        "line 2: server.requestLog.type must be one of classic, external, logback-access: nope"),
                bad(
                        "server:\n  applicationConnectors: [{type: http, port: 99999}]\n  adminConnectors: {type: http}",
                        "line 2: server.applicationConnectors[0].port must be between 1 and 65535: 99999",
                        "line 3: server.adminConnectors must be a list, not keys of its own"),
                bad(
                        "server:\n  maxThreads: 0\n  minThreads: 5",
                        "line 1: server: must have a smaller minThreads than maxThreads",
                        "line 2: server.maxThreads must be greater than or equal to 4: 0"),
                bad(
                        "server:\n  adminConnectors:\n    - type: https\n      port: 8443",
                        "line 3: server.adminConnectors[0]: keyStorePassword should not be null or empty",
                        "line 3: server.adminConnectors[0]: keyStorePath should not be null"),
                bad(
                        "logging:\n  level: LOUD\n  appenders: [{type: console, threshold: 5}]\n  loggers:\n    a.b: x\n"
                                + "    c: {level: y}\n    d: off\n    e: Debug",
                        "line 2: logging.level must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL: LOUD",
                        "line 3: logging.appenders[0].threshold must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE,"
                                + " ALL: 5",
                        "line 5: logging.loggers.a.b must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL: x",
                        "line 6: logging.loggers.c.level must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL: y"),
                bad(
                        "server: {requestLog: {appenders: [{type: console, threshold: LOUD}]}}",
                        "line 1: server.requestLog.appenders[0].threshold must be one of OFF, ERROR, WARN, INFO, DEBUG,"
                                + " TRACE, ALL: LOUD"));
    }

    /** Files that are something else, and values that may be secret: of these, nothing is repeated. */
    private static Stream<Arguments> secrets() {
        String single = "the file must have keys of its own, not a single value";
        return Stream.of(
                bad("secret", single),
                bad("DB_PASSWORD=secret\nUSER=me", single),
                bad("postgres://me:secret@db/x", single),
                bad("!secret!x y", "line 1, column 1: no YAML: found undefined tag handle"),
                bad("*secret", "line 1, column 1: write the value again: an alias, as in *name, is not read"),
                bad(
                        "-----BEGIN KEY-----\nsecret\n-----END KEY-----\n",
                        "line 3, column 1: no YAML: expected '<document start>', but found '<scalar>'"),
                bad("[secret]", "the file must have keys of its own, not a list"),
                bad("allocator: secret", "line 1: allocator must have keys of its own, not a single value"),
                bad(
                        "allocator: {window: !!binary secret}",
                        "line 1: allocator.window must be a text that can be read, without !!binary"),
                bad(
                        "allocator: {window: &secret 5s, maxWait: *secret}",
                        "line 1, column 42: write the value again: an alias, as in *name, is not read"),
                bad("a\n\u0000secret", "line 2: no text: a configuration has no control characters"),
                bad("a: 1\nb: \uFFFD\u0001secret", "line 2: no text in UTF-8"),
                bad(
                        "allocator: {zookeeper: {connect: 'http://me:secret@zk:2181'}}",
                        CONNECT + "http://***@zk:2181 (leave out the user and password, which zookeeper.auth is for)"),
                bad(
                        "allocator: {zookeeper: {connect: 'zk1:1,me:secret@zk:2181'}}",
                        CONNECT + "***@zk:2181 (leave out the user and password, which zookeeper.auth is for)"),
                bad(
                        "allocator: {zookeeper: {connect: 'me:secret@zk', embedded: {enabled: true}}}",
                        "line 1: allocator.zookeeper.connect must be left out when zookeeper.embedded.enabled is true:"
                                + " ***@zk",
                        CONNECT + "***@zk (leave out the user and password, which zookeeper.auth is for)"),
                bad(
                        "allocator: {url: 'http://me:secret@host:8080', instance: 'me:secret@host'}",
                        "line 1: allocator.instance must be 1..100 of [A-Za-z0-9._-]: ***@host",
                        "line 1: allocator.url must be without a user and password, because everybody is told it:"
                                + " http://***@host:8080"),
                bad(
                        "allocator: {cors: {allowedOrigins: ['https://me:secret@a.example']}}",
                        "line 1: allocator.cors.allowedOrigins[0] must be \"*\" or an origin such as"
                                + " https://shop.example.com:8443, without a path: https://***@a.example"),
                bad(
                        "server: {applicationConnectors: [{type: https, port: 1, keyStorePath: a, keyStorePassword: b,"
                                + " needClientAuth: secret}]}",
                        "line 1: server.applicationConnectors[0].needClientAuth must be true or false (the value is not"
                                + " shown)"));
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

    /** One of the mistakes of a text, of a value, and of a rule of Dropwizard's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "allocator: {window: 0s, maxWait: 2h}",
                "server: {maxThreads: 0}",
                "server: {type: simple}",
                "allocator: {admin: {tokenFile: /nonexistent}}"
            })
    void shouldBeRefusedAlikeByCheckAndTheServer(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), text);
        CommandLine.Outcome served = CommandLine.run("server", file.toString());

        assertTrue(served.failed());
        assertEquals(CommandLine.run("check", file.toString()).error(), served.error());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server: {type: simple, connector: {type: http, bindHost: 127.0.0.1}}",
                "server: {type: simple, connector: {type: http, bindHost: '::1'}}",
                "server: {type: simple, connector: {type: http, bindHost: localhost}}",
                "server: {type: simple}\nallocator: {admin: {onApplicationPort: true}}"
            })
    void shouldTakeOnePortForThisMachineOrWhereItIsMeant(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), text);

        assertEquals("", CommandLine.run("check", file.toString()).error());
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

    private static CommandLine.Outcome withProperty(String name, String value, Path file) {
        System.setProperty(name, value);
        try {
            return CommandLine.run("check", file.toString());
        } finally {
            System.clearProperty(name);
        }
    }

    /** What a system property replaces is needed by nobody, whether a single value, a list, or one of a list. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            instance: '${NOPE_NOPE}'                              | dw.allocator.instance            | a
            zookeeper: {connect: '${NOPE_NOPE}:${NOPE_B}'}        | dw.allocator.zookeeper.connect   | zk:1
            zookeeper: {auth: ['${NOPE_NOPE}']}                   | dw.allocator.zookeeper.auth      | x509:a,x509:b
            zookeeper: {auth: ['x509:a', '${NOPE_NOPE}']}         | dw.allocator.zookeeper.auth[1]   | x509:b
            zookeeper: {properties: {jute.maxbuffer: '${NOPE_N}'}} | dw.allocator.zookeeper.properties.jute\\.maxbuffer | 5
            """)
    void shouldNotNeedAVariableWhoseValueIsReplaced(String setting, String property, String value) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), "allocator: {" + setting + "}");

        assertTrue(CommandLine.run("check", file.toString()).error().contains("NOPE_N"));
        assertEquals("", withProperty(property, value, file).error());
    }

    /** A key that is left empty is as one that is left out, and so is what is below that. */
    @ParameterizedTest
    @ValueSource(strings = {"allocator:", "allocator:\n  zookeeper:", "allocator: {schemes: {sno: }, window: }"})
    void shouldSetWhatIsBelowAnEmptyKey(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), text);

        assertEquals("", withProperty("dw.allocator.window", "5s", file).error());
        assertEquals("", withProperty("dw.allocator.zookeeper.root", "/a", file).error());
        assertEquals(
                "",
                withProperty("dw.allocator.schemes.sno.partition", "1", file).error());
    }

    /** The line of the file has nothing to do with the value then. A value is as it was written, also with a dollar sign. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dw.allocator.window     | 5        | allocator.window must be a number and a unit, such as 10s or 500ms: 5; write 5s
            dw.allocator.window     | 0s       | allocator.window must be positive: 0 ms
            dw.allocator.instance   | ${NOPE}  | allocator.instance must be 1..100 of [A-Za-z0-9._-]: ${NOPE}
            dw.allocator.windo      | 5s       | allocator has no key windo; did you mean window?
            dw.allocator.window.x   | 5s       | allocator.window.x cannot be set: the file has nothing that this could be a part of
            dw.server.connectors[3] | 5s       | server.connectors[3] cannot be set: the file has nothing that this could be a part of
            """)
    void shouldNameTheSystemPropertyWhenThatIsWrong(String property, String value, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("config.yml"), "allocator:\n  window: 5s\n  instance: a\n");

        assertEquals(
                file + ": -D" + property + ": " + message + "\n",
                withProperty(property, value, file).error());
    }

    @Test
    void shouldSayThatADirectoryIsNoFile() {
        assertEquals(
                "the configuration file is a directory: " + directory + "\n",
                CommandLine.run("check", directory.toString()).error());
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
