package org.idallocator.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.GidType;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** What a configuration says, as Spring Boot reads it. */
class IdAllocatorPropertiesTest {
    private static final String CONNECT = "idallocator.zookeeper.connect=zk1:2181";

    @EnableConfigurationProperties(IdAllocatorProperties.class)
    static class Program {}

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Program.class);

    private static IdAllocatorProperties read(ApplicationContextRunner program) {
        List<IdAllocatorProperties> read = new ArrayList<>();
        program.run(context -> read.add(context.getBean(IdAllocatorProperties.class)));
        return read.get(0);
    }

    private IdAllocatorProperties read(String... pairs) {
        return read(runner.withPropertyValues(pairs));
    }

    private IdAllocatorProperties readYaml(String text) {
        return read(runner.withInitializer(context -> {
            try {
                List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                        .load("yaml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
                sources.forEach(context.getEnvironment().getPropertySources()::addFirst);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }));
    }

    private static final List<Scheme<?>> NONE = List.of();

    @Test
    void shouldServeSnoAloneWithTheUsualTermsWhenOnlyZooKeeperIsNamed() {
        IdAllocatorProperties properties = read(CONNECT);
        AllocatorSettings settings = properties.settings();

        assertEquals(AllocatorSettings.of(NONE, ZooKeeperSettings.of("zk1:2181")), settings.withSchemes(NONE));
        assertEquals(
                List.of("sno"), settings.schemes().stream().map(Scheme::name).toList());
        assertEquals(Schemes.of("sno").get(0).pool(), settings.schemes().get(0).pool());
        assertTrue(properties.enabled());
        assertEquals(Duration.ofSeconds(30), properties.patience(settings));
    }

    /** After a first start of a root, and where nobody can say whether a backup has come back. */
    @ParameterizedTest
    @CsvSource({"window=2m, PT2M20S", "schemes.sno.window=1h, PT1H20S", "window=1s, PT21S", "max-clock-skew=10s, PT46S"
    })
    void shouldWaitForLongerThanItsWindowsCanTakeWhenNoTimeIsConfigured(String pair, Duration expected) {
        IdAllocatorProperties properties = read(CONNECT, "idallocator." + pair);
        AllocatorSettings settings = properties.settings();
        Duration patience = properties.patience(settings);

        assertEquals(expected, patience);
        assertTrue(patience.compareTo(settings.terms().ahead()) > 0, settings::toString);
        assertTrue(patience.compareTo(settings.terms().waitWhereNobodyVouches()) > 0, settings::toString);
    }

    @Test
    void shouldWaitForAsLongAsIsConfiguredHoweverLongTheWindow() {
        IdAllocatorProperties properties = read(CONNECT, "idallocator.window=1h", "idallocator.start-timeout=5s");

        assertEquals(Duration.ofSeconds(5), properties.patience(properties.settings()));
    }

    @Test
    void shouldTakeEachKey() {
        IdAllocatorProperties properties = readYaml("""
                idallocator:
                  enabled: false
                  start-timeout: 0s
                  zookeeper:
                    connect: zk1:2181,zk2:2181/ids
                    root: /shop
                    session-timeout: 20s
                    auth: ["digest:shop:a-secret"]
                    properties:
                      zookeeper.client.secure: true
                      zookeeper.ssl.keyStore.location: /etc/shop.p12
                  window: 1m
                  max-clock-skew: 1s
                  max-wait: 500ms
                  instance: shop-1
                  url: http://shop-1:8080
                  schemes:
                    sno: {leases: 2, partition: 16, partitions: 8, shards: 2}
                    muid: {window: 1h}
                    eightbyte: {cluster-id: 3, one-per-millisecond: true}
                    uid60: {longest-tenure-seconds: 600}
                    gid: {type: log}
                """);
        AllocatorSettings settings = properties.settings();
        AllocatorSettings expected = new AllocatorSettings(
                Schemes.all(),
                new ZooKeeperSettings(
                        "zk1:2181,zk2:2181/ids",
                        "/shop",
                        Duration.ofSeconds(20),
                        List.of("digest:shop:a-secret"),
                        Map.of("zookeeper.client.secure", "true", "zookeeper.ssl.keyStore.location", "/etc/shop.p12")),
                Duration.ofMinutes(1),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                Replica.named("shop-1", "http://shop-1:8080"),
                Map.of("sno", 2),
                Map.of("muid", Duration.ofHours(1)));

        assertFalse(properties.enabled());
        assertEquals(Duration.ZERO, properties.patience(settings));
        assertEquals(expected.leases(), settings.leases());
        assertEquals(expected.withSchemes(NONE), settings.withSchemes(NONE));
        assertEquals(
                List.of(
                        new SnoScheme(16, 8, 2).pool(),
                        Schemes.of("muid").get(0).pool(),
                        new EightByteScheme(3).pool(),
                        new Uid60Scheme(Duration.ofMinutes(10)).pool(),
                        new GidScheme(GidType.LOG).pool()),
                settings.schemes().stream().map(Scheme::pool).toList());
        assertEquals(
                new EightByteScheme(3, true).idsPerTick(),
                settings.schemes().get(2).idsPerTick());
        assertEquals(
                new GidScheme(GidType.LOG).defaultVariant(),
                settings.schemes().get(4).defaultVariant());
    }

    /** As people write them in the service's file. */
    @Test
    void shouldTakeTheServicesKeysAndSchemesWithoutOptions() {
        AllocatorSettings settings = readYaml("""
                idallocator:
                  zookeeper: {connect: "zk1:2181", sessionTimeout: 20s}
                  maxClockSkew: 1s
                  schemes:
                    uid60: {longestTenureSeconds: 600}
                    sno:
                    gid: ""
                """).settings();

        assertEquals(Duration.ofSeconds(20), settings.zookeeper().sessionTimeout());
        assertEquals(Duration.ofSeconds(1), settings.maxClockSkew());
        assertEquals(
                List.of("sno", "uid60", "gid"),
                settings.schemes().stream().map(Scheme::name).toList());
        assertEquals(
                new Uid60Scheme(Duration.ofMinutes(10)).pool(),
                settings.schemes().get(1).pool());
    }

    /** Spring Boot 4.0 drops empty mappings, and library.md says what to write instead. */
    @Test
    void shouldTakeAnEmptyMappingForASchemeWithoutOptions() {
        List<String> schemes =
                SpringBootVersion.getVersion().startsWith("4.0.") ? List.of("uid60") : List.of("sno", "uid60");
        AllocatorSettings settings = readYaml(
                        "idallocator: {zookeeper: {connect: 'zk1:2181'}, schemes: {uid60: {leases: 2}, sno: {}}}")
                .settings();

        assertEquals(schemes, settings.schemes().stream().map(Scheme::name).toList());
    }

    @Test
    void shouldTellWhereItAnswersWhenItHasNoNameOfItsOwn() {
        Replica replica =
                read(CONNECT, "idallocator.url=http://shop-1:8080").settings().replica();

        assertEquals(Replica.named(Replica.local().instance(), "http://shop-1:8080"), replica);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            schemes.sno.leases=0                      | schemes.sno.leases must be 1..64: 0
            schemes.sno.shards=3                      | schemes.sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3
            schemes.sno.partition=-1                  | schemes.sno.partition must be 0..65535: -1
            schemes.muid.window=1ms                   | schemes.muid.window must be at least 1000 ms: 1 ms
            schemes.eightbyte.cluster-id=16           | schemes.eightbyte.cluster-id must be 0..15: 16
            schemes.uid60.longest-tenure-seconds=5    | schemes.uid60.longest-tenure-seconds must be 10..3600: 5
            schemes.gid.type=thing                    | schemes.gid.type must be one of volume, log, segment: thing
            schemes.snow.leases=1                     | schemes.snow must be one of sno, muid, eightbyte, uid60, gid: snow
            window=25h                                | window must be at most 86400000 ms: 90000000 ms
            max-clock-skew=11s                        | max-clock-skew must be at most 10000 ms: 11000 ms; after a loss of data in ZooKeeper everybody waits for the largest that is allowed
            max-wait=0s                               | max-wait must be positive: 0 ms
            start-timeout=-1s                         | start-timeout must be 0s or longer: -1000 ms
            instance=a b                              | instance must be 1..100 of [A-Za-z0-9._-]: a b
            zookeeper.connect=                        | zookeeper.connect must be set to ZooKeeper's servers, as in zk1:2181,zk2:2181,zk3:2181: nothing is set
            zookeeper.root=ids                        | zookeeper.root must be an absolute path such as /id-allocator: ids
            zookeeper.session-timeout=1ms             | zookeeper.session-timeout must be 1 s or more: 1 ms
            """)
    void shouldNameTheKeyTheValueAndWhatIsAllowed(String pair, String message) {
        IdAllocatorProperties properties = read(CONNECT, "idallocator." + pair);

        BadValueException thrown = assertThrows(BadValueException.class, () -> {
            Duration unused = properties.patience(properties.settings());
        });

        assertEquals("idallocator." + message, thrown.getMessage());
    }

    @Test
    void shouldRefuseOptionsOfOtherSchemes() {
        IdAllocatorProperties properties = read(CONNECT, "idallocator.schemes.gid.leases=1");

        BadValueException thrown = assertThrows(BadValueException.class, properties::settings);

        assertTrue(
                String.valueOf(thrown.getMessage())
                        .startsWith("idallocator.schemes.gid has no key leases; it has type"),
                thrown::toString);
    }

    @Test
    void shouldTellNoCredentials() {
        IdAllocatorProperties properties = read(CONNECT, "idallocator.zookeeper.auth[0]=a-secret");

        BadValueException thrown = assertThrows(BadValueException.class, properties::settings);

        assertEquals("idallocator.zookeeper.auth[0]", thrown.key());
        assertFalse(thrown.toString().contains("a-secret"), thrown::toString);
    }

    /** A session timeout that is misspelt would silently be the usual one, and then differ from other replicas'. */
    @ParameterizedTest
    @CsvSource({
        "idallocator.zookeeper.session-timout=20s",
        "idallocator.schemes.sno.partitons=8",
        "idallocator.limits.streams=8"
    })
    void shouldRefuseKeysThatItDoesNotKnow(String pair) {
        runner.withPropertyValues(CONNECT, pair)
                .run(context -> assertTrue(
                        rootMessage(context.getStartupFailure()).contains(pair.replaceAll("=.*", "")),
                        () -> context.toString()));
    }

    @Test
    void shouldRefuseTextInThePlaceOfOptions() {
        runner.withPropertyValues(CONNECT, "idallocator.schemes.sno=yes")
                .run(context -> assertEquals(
                        "must have options of the scheme, such as {leases: 2}, or nothing: yes",
                        rootMessage(context.getStartupFailure())));
    }

    private static String rootMessage(@Nullable Throwable failure) {
        Throwable root = Objects.requireNonNull(failure, "it starts");
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
