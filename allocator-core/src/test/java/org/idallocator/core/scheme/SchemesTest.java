package org.idallocator.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.MuidGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of schemes, their options, and what each scheme does in its own way. */
final class SchemesTest {
    private static final int TRANSACTIONS_OBJECTS = (1 << 20) - 1;

    private final ScriptedClock clock = new ScriptedClock(1_750_000_000_000_000L);

    @Test
    void shouldKnowFiveWhenListed() {
        assertEquals(List.of("sno", "muid", "eightbyte", "uid60", "gid"), Schemes.names());
        assertEquals(Schemes.names(), Schemes.all().stream().map(Scheme::name).toList());
    }

    @Test
    void shouldHaveDefaultsAndTheOrderOfTheListWhenNamed() {
        List<Scheme<?>> named = Schemes.of("uid60", "sno", "uid60");

        assertEquals(List.of("sno", "uid60"), named.stream().map(Scheme::name).toList());
        assertEquals(Schemes.all().get(0).pool(), named.get(0).pool());
        assertEquals(List.of(), Schemes.of());
    }

    @Test
    void shouldRefuseWhenOneOfTheNamesIsUnknown() {
        UnknownSchemeException thrown =
                assertThrows(UnknownSchemeException.class, () -> Schemes.of("sno", "snowflake"));

        assertEquals("unknown scheme snowflake; known are sno, muid, eightbyte, uid60, gid", thrown.getMessage());
    }

    @Test
    void shouldListNamesAtHandWhenNoneOfThemIsMeant() {
        List<Scheme<?>> schemes = Schemes.configured(Map.of("gid", Map.of(), "sno", Map.of()));

        UnknownSchemeException thrown =
                assertThrows(UnknownSchemeException.class, () -> Schemes.named("muid", schemes));

        assertEquals("unknown scheme muid; known are sno, gid", thrown.getMessage());
    }

    @Test
    void shouldListSchemesWithSlotsWhenTheOneThatIsNamedNeedsNone() {
        List<Scheme<?>> all = Schemes.all();

        UnknownSchemeException among = assertThrows(UnknownSchemeException.class, () -> Schemes.leased("gid", all));
        UnknownSchemeException unknown = assertThrows(UnknownSchemeException.class, () -> Schemes.leased("nope", all));

        assertSame(all.get(1), Schemes.leased("muid", all));
        assertEquals(all.subList(0, 4), Schemes.leased(all));
        assertEquals(
                "scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60", among.getMessage());
        assertEquals("unknown scheme nope; known are sno, muid, eightbyte, uid60, gid", unknown.getMessage());
    }

    @Test
    void shouldRefuseWhenSchemeIsUnknown() {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> Schemes.configured(Map.of("snowflake", Map.of())));

        assertEquals("unknown scheme snowflake; known are sno, muid, eightbyte, uid60, gid", thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sno       | colour               | red    | sno has no key colour; it has partition, partitions, shards, leases, window, maxCount
        sno       | shards               | 3      | sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3
        sno       | shards               | four   | sno.shards must be 1..16384: four
        sno       | partition            | 65536  | sno.partition must be 0..65535: 65536
        sno       | partition            | 65281  | sno.partition + sno.partitions must be 1..65536: 65281 + 256
        sno       | partitions           | 0      | sno.partitions must be 1..65536: 0
        muid      | medallion            | 1      | muid has no key medallion; it has leases, window, maxCount
        eightbyte | clusterId            | 16     | eightbyte.clusterId must be 0..15: 16
        eightbyte | onePerMillisecond    | yes    | eightbyte.onePerMillisecond must be true or false: yes
        eightbyte | cluster              | 1      | eightbyte has no key cluster; it has clusterId, onePerMillisecond, leases, window, maxCount
        uid60     | longestTenureSeconds | 3601   | uid60.longestTenureSeconds must be 10..3600: 3601
        uid60     | workers              | 9      | uid60 has no key workers; it has longestTenureSeconds, leases, window, maxCount
        gid       | type                 | page   | gid.type must be one of volume, log, segment: page
        gid       | types                | log    | gid has no key types; it has type, maxCount
        """)
    void shouldRefuseOptionWhenConfigured(String scheme, String key, String value, String message) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> Schemes.configured(Map.of(scheme, Map.of(key, value))));

        assertEquals(message, thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 1, sno.partition + sno.partitions must be 1..65536: -1 + 1",
        "0, 0, 1, sno.partition + sno.partitions must be 1..65536: 0 + 0",
        "0, 65537, 1, sno.partition + sno.partitions must be 1..65536: 0 + 65537",
        "2147483647, 1, 1, sno.partition + sno.partitions must be 1..65536: 2147483647 + 1",
        "0, 1, 3, 'sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 3'",
        "0, 1, 32768, 'sno.shards must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): 32768'"
    })
    void shouldRefuseWhenSnoPoolIsNone(int partition, int partitions, int shards, String message) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> new SnoScheme(partition, partitions, shards));

        assertEquals(message, thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sno | type=log | IDs of this scheme have no type; they have a metabyte",
                "muid | metabyte=1 | IDs of this scheme have no metabyte; they have a transaction",
                "eightbyte | metabyte=1 | IDs of this scheme have no metabyte",
                "uid60 | transaction=true | IDs of this scheme have no transaction",
                "gid | metabyte=128 | IDs of this scheme have no metabyte; they have a type"
            })
    void shouldRefuseAnotherSchemesParameter(String name, String other, String why) {
        Variant variant = List.of("sno", "muid", "gid").stream()
                .map(each -> parameter(each))
                .filter(each -> other.startsWith(each.name() + "="))
                .map(each -> each.parse().apply(other.substring(each.name().length() + 1)))
                .findFirst()
                .orElseThrow();
        Scheme<?> scheme = Schemes.named(name, Schemes.all());

        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> scheme.onSlot(0, Duration.ZERO, Clock.system())
                        .with(variant)
                        .next());

        assertEquals(why, thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "sno, 0, 0",
        "sno, 255, 255",
        "sno, 007, 7",
        "muid, true, 1",
        "muid, false, 0",
        "gid, volume, 0",
        "gid, log, 1",
        "gid, segment, 2"
    })
    void shouldGiveVariantWhenParameterIsAllowed(String scheme, String value, int variant) {
        assertEquals(
                new Variant(parameter(scheme).name(), variant),
                parameter(scheme).parse().apply(value));
    }

    @ParameterizedTest
    @CsvSource({
        "sno, 256, metabyte must be 0..255: 256",
        "sno, -1, metabyte must be 0..255: -1",
        "sno, +1, metabyte must be 0..255: +1",
        "sno, 0x1, metabyte must be 0..255: 0x1",
        "sno, '', 'metabyte must be 0..255: '",
        "sno, 99999999999, metabyte must be 0..255: 99999999999",
        "sno, ١, metabyte must be 0..255: ١",
        "muid, yes, transaction must be true or false: yes",
        "muid, TRUE, transaction must be true or false: TRUE",
        "gid, Volume, 'type must be one of volume, log, segment: Volume'"
    })
    void shouldRefuseWhenParameterIsNotAllowed(String scheme, String value, String message) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> parameter(scheme).parse().apply(value));

        assertEquals(message, thrown.getMessage());
    }

    @Test
    void shouldReadCountWhenItIsAllowed() {
        Scheme<?> muid = scheme("muid");

        assertEquals(1, muid.count("count", "1", MuidGenerator.OBJECTS));
        assertEquals(100_000_000, muid.count("count", "100000000", MuidGenerator.OBJECTS));
        assertEquals(TRANSACTIONS_OBJECTS, muid.count("count", "1048575", MuidGenerator.TRANSACTION));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "+1", "", "1.0", "1048576", "99999999999"})
    void shouldRefuseCountWhenItIsNotAllowed(String text) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> scheme("muid").count("-n", text, MuidGenerator.TRANSACTION));

        assertEquals("-n must be 1..1048575: " + text, thrown.getMessage());
    }

    @Test
    void shouldBeOfConfiguredTypeWhenGidTypeIsNotNamed() {
        GidScheme segments = new GidScheme(GidType.SEGMENT);

        assertEquals(
                GidType.SEGMENT, segments.onSlot(0, Duration.ZERO, clock).next().type());
        assertEquals(
                GidType.LOG,
                segments.onSlot(0, Duration.ZERO, clock)
                        .with(GidGenerator.type(GidType.LOG))
                        .next()
                        .type());
        assertEquals(Optional.empty(), segments.pool());
    }

    @ParameterizedTest
    @CsvSource({"0, 7, 0, 16383", "1, 7, 16384, 32767", "3, 7, 49152, 65535", "4, 8, 0, 16383", "7, 8, 49152, 65535"})
    void shouldBePartitionAndRangeWhenSnoSlot(long slot, int partition, int min, int max) {
        SnoScheme sno = new SnoScheme(7, 2, 4);

        Sno id = sno.onSlot(slot, Duration.ZERO, clock).next();

        assertEquals(partition, id.partition());
        assertEquals(min, id.sequence());
        assertEquals(OptionalLong.of(slot), sno.slotOf(Sno.of(0, 0, 0, partition, max)));
        assertEquals(OptionalLong.empty(), sno.slotOf(Sno.of(0, 0, 0, partition == 7 ? 6 : 9, max)));
    }

    @ParameterizedTest
    @CsvSource({"6, false", "7, true", "8, true", "9, false"})
    void shouldGivePorterOfWholePartitionWhenItIsNotOfThePool(int number, boolean ofThePool) {
        SnoScheme sno = new SnoScheme(7, 2, 4);
        SnoPartition partition = SnoPartition.of(number);

        if (ofThePool) {
            assertEquals(
                    "a porter's partition must not be one of the pool's, 7..8: " + number,
                    assertThrows(IllegalArgumentException.class, () -> sno.porter(partition))
                            .getMessage());
        } else {
            assertEquals(number, sno.porter(partition).next(Sno.MIN_TIME, 0).partition());
        }
    }

    @Test
    void shouldHaveNoSlotWhenClusterIsAnothers() {
        assertEquals(OptionalLong.empty(), new EightByteScheme(3).slotOf(EightByteId.of(0, 0, 5, 4)));
        assertEquals(OptionalLong.of(5), new EightByteScheme(3).slotOf(EightByteId.of(0, 0, 5, 3)));
        assertEquals("eightbyte/03", new EightByteScheme(3).pool().orElseThrow().path());
    }

    @Test
    void shouldRemarkAndHaveNoSlotWhenMedallionIsNotVersion1() {
        MuidScheme muid = new MuidScheme();
        Muid foreign = Muid.parse("000000000000000000000000000FFFFF");

        assertEquals(OptionalLong.empty(), muid.slotOf(foreign));
        assertEquals(
                List.of(
                        "the medallion is outside the version 1 range 1000000000000..1FFFFFFFFFFFF; no generator of this"
                                + " allocator makes it"),
                muid.remarks(foreign));
    }

    @Test
    void shouldBeCalledByMedallionWhenMuidSlot() {
        SlotPool pool = new MuidScheme().pool().orElseThrow();

        assertEquals("1000000000000", pool.nameOf(0));
        assertEquals("1FFFFFFFFFFFF", pool.nameOf(pool.size() - 1));
        assertEquals(10, pool.slotOf("100000000000A"));
        assertThrows(IllegalArgumentException.class, () -> pool.slotOf("100000000000a"));
        assertThrows(IllegalArgumentException.class, () -> pool.slotOf("0FFFFFFFFFFFF"));
        assertThrows(IllegalArgumentException.class, () -> pool.slotOf("2000000000000"));
    }

    @Test
    void shouldMakeNoMedallionOutsideVersion1WhenSlotIs() {
        MuidScheme muid = new MuidScheme();

        assertEquals(
                Muid.MAX_MEDALLION,
                muid.onSlot((1L << 48) - 1, Duration.ZERO, clock).next().medallion());
        assertThrows(IllegalArgumentException.class, () -> muid.onSlot(1L << 48, Duration.ZERO, clock));
        assertThrows(IllegalArgumentException.class, () -> muid.onSlot(-1, Duration.ZERO, clock));
    }

    @Test
    void shouldTakeWorkersByIndexForAnHourWhenUid60() {
        SlotPool pool = scheme("uid60").pool().orElseThrow();

        assertEquals(512, pool.size());
        assertEquals(SlotPool.Choice.INDEX, pool.choice());
        assertEquals(Optional.of(Duration.ofHours(1)), pool.longestTenure());
    }

    private static Scheme<?> scheme(String name) {
        return Schemes.configured(Map.of(name, Map.of())).get(0);
    }

    private static Parameter parameter(String scheme) {
        return scheme(scheme).parameter().orElseThrow();
    }
}
