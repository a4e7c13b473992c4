package org.idallocator.service.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.CommandLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that cannot be used: {@code check} and {@code server} say in whole lines what is wrong, and repeat no secret.
 */
class BadFilesTest {
    private static final String ONE_PORT =
            "server.type simple has the admin pages on the application's own port, and whoever reaches that reads where"
                    + " replicas run; write type: default, or bindHost: 127.0.0.1 for its connector";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("config.yml"), text);
    }

    private String error(String text) throws IOException {
        Path file = file(text);
        CommandLine.Outcome checked = CommandLine.run("check", file.toString());
        assertEquals(1, checked.status(), text);
        assertEquals("", checked.output());
        return checked.error()
                .lines()
                .map(line -> line.replaceFirst("^\\Q" + file + ": \\E", ""))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void shouldTellAllThatIsWrongWithTheSectionAtOnce() throws IOException {
        assertEquals("""
                allocator.admin.hosts[0] must be a host name such as ids.example.com, without a port: a:1
                allocator.admin.token must be 16 characters or more of [A-Za-z0-9._~+/=-] (the value is not shown)
                allocator.cors.allowedOrigins[1] must be "*" or an origin such as https://shop.example.com:8443, without a path: b
                allocator.instance must be 1..100 of [A-Za-z0-9._-]: a b
                allocator.limits.longestBatch must be 1ms..1h: 2 hours
                allocator.limits.requests must be 1..10000: 0
                allocator.limits.streams must be 1..10000: 10001
                allocator.maxClockSkew must be at most 10000 ms: 11000 ms; after a loss of data in ZooKeeper everybody waits for the\
                 largest that is allowed
                allocator.maxWait must be at most 3600000 ms: 3660000 ms
                allocator.schemes has no key snoo; did you mean sno?
                allocator.schemes.eightbyte.maxCount must be 1..10000000: 0
                allocator.schemes.muid has no key a; it has leases, window, maxCount
                allocator.schemes.sno.leases must be 1..64: 0
                allocator.schemes.sno.window must be at most 86400000 ms: 90000000 ms
                allocator.schemes.uid60.longestTenureSeconds must be 10..3600: 1
                allocator.url must be where this replica answers HTTP, such as http://host:8080, without a user and password: here
                allocator.window must be positive: 0 ms
                allocator.zookeeper.auth[0] must be scheme:credentials, such as digest:user:password (the value is not shown)
                allocator.zookeeper.connect must be host:port,host:port and a chroot if there is one, as in zk1:2181,zk2:2181/ids: zk:0
                allocator.zookeeper.properties.zookeeper.client.secure must be true or false: on
                allocator.zookeeper.root must be an absolute path such as /id-allocator: x
                allocator.zookeeper.sessionTimeout must be 1 s or more: 1 ms
                server.maxThreads must be greater than or equal to 4""", error("""
                        allocator:
                          window: 0s
                          maxClockSkew: 11s
                          maxWait: 61m
                          instance: a b
                          url: here
                          zookeeper: {connect: 'zk:0', root: x, sessionTimeout: 1ms, auth: [secret],
                            properties: {zookeeper.client.secure: 'on'}}
                          cors: {allowedOrigins: ['https://a', b]}
                          limits: {streams: 10001, requests: 0, longestBatch: 2h}
                          admin: {token: secret, hosts: ['a:1']}
                          schemes: {snoo: {}, sno: {leases: 0, window: 25h}, muid: {a: 1}, eightbyte: {maxCount: 0},
                            uid60: {longestTenureSeconds: 1}}
                        server: {maxThreads: 3, minThreads: 1}
                        """));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            servers: {}                                   | Unrecognized field at: servers Did you mean?: server
            allocator: {zookeeper: {pasword: secret}}     | Unrecognized field at: allocator.zookeeper.pasword Did you mean?:
            server: {applicationConnectors: [{type: http, prot: 1}]} | Unrecognized field at: server.applicationConnectors.[0].prot Did you mean?: port
            """)
    void shouldAskWhichKeyWasMeant(String text, String message) throws IOException {
        String error = error(text);

        assertTrue(error.startsWith(message), error);
        assertEquals(1, error.lines().count(), error);
        assertFalse(error.contains("secret"), error);
    }

    /** Braces and dollar signs are a template's to the validator. */
    @ParameterizedTest
    @ValueSource(strings = {"a{b", "$${a", "a\\b", "$${validatedValue}"})
    void shouldRepeatAValueAsItIs(String value) throws IOException {
        assertEquals(
                "allocator.instance must be 1..100 of [A-Za-z0-9._-]: " + value.replace("$$", "$"),
                error("allocator: {instance: '" + value + "'}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"allocator: {zookeeper: {connect: '${NOPE_NOPE}:2181'}}", "# ${NOPE_NOPE}\nallocator:"})
    void shouldNameTheVariableThatIsNotSet(String text) throws IOException {
        assertEquals(
                "the environment variable NOPE_NOPE is not set, and the file, comments too, has no default for it",
                error(text));
    }

    /** Files that are something else, and values in the wrong place. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            secret                                    | Failed to parse configuration;
            '[secret]'                                | Failed to parse configuration;
            '!secret!x y'                             | Malformed YAML at line: 1
            allocator: {admin: {token: 'a${secret b'}} | ${ begins the name of no environment variable
            '"secret'                                 | Malformed YAML at line: 1
            'a: "secret" b'                           | Malformed YAML at line: 1
            allocator: secret                         | Failed to parse configuration at: allocator;
            allocator: {schemes: {sno: {leases: secret}}} | Incorrect type of value at: allocator.schemes.sno.leases;
            allocator: {schemes: {sno: {leases: 1.9}}} | Incorrect type of value at: allocator.schemes.sno.leases;
            server: {adminConnectors: [{type: https, needClientAuth: secret}]} | Incorrect type of value at: server.adminConnectors.[0].needClientAuth;
            allocator: {window: 5s, window: secret}   | Duplicate field 'window' for `ObjectNode`
            allocator: {zookeeper: {connect: 'me:secret@zk', embedded: {enabled: true}}} | allocator.zookeeper.connect must be left out
            allocator: {url: 'http://me:secret@host'} | allocator.url must be where
            allocator: {cors: {allowedOrigins: ['https://me:secret@a.example']}} | allocator.cors.allowedOrigins[0] must be
            """)
    void shouldRepeatNoSecret(String text, String message) throws IOException {
        String error = error(text);

        assertTrue(error.startsWith(message), error);
        assertFalse(error.replace("!secret!", "").contains("secret"), error);
        assertEquals(1, error.lines().count(), error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                        | must not be empty
            ---                                       | The object to be validated must not be null.
            allocator: {limits: {streams: 99999999999}} | Failed to parse configuration at: allocator.limits.streams; Numeric value (99999999999) out of range
            allocator: {window: soon}                 | Failed to parse configuration at: allocator.window; Cannot construct instance of `io.dropwizard.util.Duration`, problem: Invalid duration: soon
            server: {type: simple}                    | ONE_PORT
            allocator: {zookeeper: {embedded: {enabled: true, dataDir: "/a\\0b"}}} | allocator.zookeeper.embedded.dataDir must be a path that this machine can have (Nul character not allowed): /a?b
            allocator: {zookeeper: {embedded: {enabled: true, dataDir: "~/a\\0b"}}} | allocator.zookeeper.embedded.dataDir must be a path that this machine can have (Nul character not allowed): ~/a?b
            allocator: {zookeeper: {embedded: {enabled: true, dataDir: here/data}}} | allocator.zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ where the user has a home directory: here/data
            allocator: {admin: {tokenFile: "/a\\0b"}} | allocator.admin.tokenFile must be a path that this machine can have (Nul character not allowed): /a?b
            server: {maxThreads: 15}\\nallocator: {limits: {requests: 15}} | allocator.limits.requests must be less where server.maxThreads is 15, because connectors and health checks need threads, too: 15
            """)
    void shouldSayWhatIsWrong(String text, String message) throws IOException {
        String error = error(text.replace("\\n", "\n"));

        assertTrue(error.contains(message.replace("ONE_PORT", ONE_PORT)), error);
        assertEquals(1, error.lines().count(), error);
    }

    /** One of the mistakes of a text, of a value, and of a rule of Dropwizard's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "allocator: {window: 0s, maxWait: 2h}",
                "server: {maxThreads: 0}",
                "allocator: {admin: {tokenFile: /nonexistent}}"
            })
    @ProofOnly("starts a server for each row")
    void shouldBeRefusedAlikeByCheckAndTheServer(String text) throws IOException {
        Path file = file(text);
        CommandLine.Outcome served = CommandLine.run("server", file.toString());

        assertTrue(served.failed());
        assertEquals(CommandLine.run("check", file.toString()).error(), served.error());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dw.allocator.window   | 0s   | allocator.window must be positive: 0 ms
            dw.server.adminConnectors[7].port | 1 | Unable to override server.adminConnectors[7].port; index is greater than size of array.
            """)
    void shouldTakeTheValuesOfSystemProperties(String property, String value, String message) throws IOException {
        System.setProperty(property, value);
        try {
            assertEquals(message, error("allocator: {window: 5s}\nserver: {adminConnectors: []}"));
        } finally {
            System.clearProperty(property);
        }
    }
}
