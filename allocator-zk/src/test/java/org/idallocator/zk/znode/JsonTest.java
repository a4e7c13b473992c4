package org.idallocator.zk.znode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads are read as they were written, and never read wrongly. */
final class JsonTest {
    private static final String PATH = "/ids/sno/records/0";
    private static final SlotRecord RECORD = new SlotRecord(
            1, 42, Instant.parse("2024-01-01T00:00:00.004Z"), "nonce", false, null, null, null, null, Map.of());
    private static final String FIELDS =
            "{\"version\":1,\"ceiling\":42,\"reservedThrough\":\"2024-01-01T00:00:00.004Z\","
                    + "\"nonce\":\"nonce\",\"released\":false";
    private static final String TEXT = FIELDS + "}";
    private static final String READABLE_FROM = ",\"readableFrom\":1}";
    private static final String LATER = ",\"colour\":{\"of\":[\"money\"]},\"none\":null";

    private static <T> Znodes.Found<T> found(String payload, Class<T> type) {
        return found(PATH, payload, type);
    }

    private static <T> Znodes.Found<T> found(String path, String payload, Class<T> type) {
        SimulatedZooKeeper zookeeper = new SimulatedZooKeeper(() -> 0, Duration.ofSeconds(10));
        zookeeper.ensure(path);
        zookeeper.set(path, payload);
        return Znodes.below("/ids", zookeeper.connect(), Clock.system())
                .find(path, type)
                .orElseThrow();
    }

    @Test
    void shouldWriteWhatPeopleCanRead() {
        assertEquals(FIELDS + READABLE_FROM, Json.write(RECORD));
    }

    /** What a later version added stays, and it is told who wrote the rest. */
    @Test
    void shouldReadLaterVersionsThatSayThatThisOneMayAndWriteTheirFieldsAgain() {
        SlotRecord later = found(written("\"version\":4,\"readableFrom\":1" + LATER), SlotRecord.class)
                .get();
        assertEquals(42, later.ceiling());
        assertEquals(4, later.version());
        assertEquals(FIELDS + LATER + READABLE_FROM, Json.write(RECORD.keeping(later.unknown())));
    }

    @Test
    void shouldKeepFieldsOfLaterVersionsOfMetaAndLayout() {
        String meta =
                "{\"version\":1,\"incarnation\":\"i\",\"clusterId\":3,\"floor\":\"2024-01-01T00:00:00Z\"" + LATER + "}";
        assertEquals(meta, Json.write(found(meta, MetaNode.class).get()));
        String layout =
                "{\"version\":1,\"generation\":\"g\",\"floor\":\"2024-01-01T00:00:00Z\",\"layout\":{\"slots\":1},"
                        + "\"windowMillis\":1,\"sessionTimeoutMillis\":2,\"maxClockSkewMillis\":3" + LATER + "}";
        assertEquals(layout, Json.write(found(layout, LayoutNode.class).get()));
    }

    /**
     * Each version of this software makes the same name of the same terms: else it would take the layout of another for
     * edited.
     */
    @ParameterizedTest
    @CsvSource({"10000, 9000, 2000, true", "9000, 10000, 2000, false", "10000, 9000, 2001, false"})
    void shouldTellAnEditedLayoutByItsName(long window, long sessionTimeout, long maxClockSkew, boolean fits) {
        String layout = "{\"version\":1,\"generation\":\"f23c71a1e87630ff-any\",\"floor\":\"2024-01-01T00:00:00Z\","
                + "\"layout\":{\"slots\":2},\"windowMillis\":" + window + ",\"sessionTimeoutMillis\":" + sessionTimeout
                + ",\"maxClockSkewMillis\":" + maxClockSkew + "}";

        assertEquals(fits, found(layout, LayoutNode.class).get().fitsItsName());
    }

    /** A ceiling of theirs may mean something else. */
    @ParameterizedTest
    @CsvSource({"'\"version\":4', 4", "'\"version\":5,\"readableFrom\":4', 4", "'\"readableFrom\":7,\"version\":7', 7"})
    void shouldNotReadWhatOnlyLaterVersionsUnderstand(String version, int readableFrom) {
        String payload = written(version);
        for (Executable reading : List.<Executable>of(
                () -> found(payload, SlotRecord.class).get(),
                () -> found(payload, SlotRecord.class).replaceable())) {
            StoreException e = assertThrows(StoreException.class, reading);
            assertEquals(Kind.NEWER, e.kind());
            assertEquals(
                    PATH + " can be understood from shape version " + readableFrom
                            + " on; this software knows shape version 3",
                    e.getMessage());
        }
        assertEquals(Optional.empty(), found(payload, SlotRecord.class).readable());
    }

    /** It says that this version may read it, and is wrong: that makes it no payload that anybody may write over. */
    @ParameterizedTest
    @ValueSource(strings = {"\"ceiling\":-7", "\"ceiling\":null", "\"upTo\":42"})
    void shouldCallNothingMalformedThatALaterVersionWrote(String ceiling) {
        String payload = written("\"version\":4,\"readableFrom\":1").replace("\"ceiling\":42", ceiling);
        StoreException e = assertThrows(
                StoreException.class, () -> found(payload, SlotRecord.class).replaceable());
        assertEquals(Kind.NEWER, e.kind());
        assertEquals(
                PATH + " was written by shape version 4, and cannot be read; this software knows shape version 3",
                e.getMessage());
        assertEquals(Optional.empty(), found(payload, SlotRecord.class).readable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"version\":1,"})
    void shouldReadWhatItWroteAndTakeAMissingVersionForTheFirst(String version) {
        String payload = TEXT.replace("\"version\":1,", version);
        assertEquals(RECORD, found(payload, SlotRecord.class).get());
    }

    @ParameterizedTest
    @CsvSource({
        "'\"version\":0', version must be a number 1..2147483647: 0",
        "'\"version\":\"1\"', version must be a number 1..2147483647: \"1\"",
        "'\"version\":1,\"readableFrom\":2', readableFrom must be a number 1..1: 2",
        "'\"version\":4,\"readableFrom\":0', readableFrom must be a number 1..4: 0",
    })
    void shouldCallVersionsMalformedThatCannotBe(String version, String why) {
        String payload = written(version);
        StoreException e = assertThrows(
                StoreException.class, () -> found(payload, SlotRecord.class).get());
        assertEquals(Kind.MALFORMED, e.kind());
        assertEquals(PATH + " does not hold a slot record: " + why, e.getMessage());
        assertEquals(Optional.empty(), found(payload, SlotRecord.class).replaceable());
    }

    private static String written(String version) {
        return TEXT.replace("\"version\":1", version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "12"})
    void shouldNameNodeWhenPayloadIsMalformed(String payload) {
        assertEquals(PATH + " does not hold a slot record", malformed(payload, SlotRecord.class));
    }

    private static String malformed(String payload, Class<?> type) {
        StoreException e =
                assertThrows(StoreException.class, () -> found(payload, type).get());
        assertEquals(Kind.MALFORMED, e.kind());
        return String.valueOf(e.getMessage());
    }

    /** A ceiling that is missing must not be read as 0: the next tenure would start at tick 1. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            ^"ceiling":42^            |                                         | ceiling: Cannot map `null` into type `long`
            ^"ceiling":42^            | "ceiling":"42"                          | ceiling: Cannot coerce String value ("42") to `long` value
            ^"ceiling":42^            | "ceiling":42.9                          | ceiling: Cannot coerce Floating-point value (42.9) to `long` value
            ^"ceiling":42^            | "ceiling":99999999999999999999          | ceiling: Numeric value (99999999999999999999) out of range of long (-9223372036854775808 - 9223372036854775807)
            ^"ceiling":42^            | "ceiling":-2                            | ceiling must be -1..4611686018427387903: -2
            ^"ceiling":42^            | "ceiling":42,"floor":-1                 | floor must be 0..43: -1
            ^"ceiling":42^            | "ceiling":42,"floor":44                 | floor must be 0..43: 44
            ^"ceiling":42^            | "ceiling":42,"floor":9223372036854775807 | floor must be 0..43: 9223372036854775807
            ^"2024-01-01T00:00:00.004Z"^ | "soon"                               | reservedThrough: Text 'soon' could not be parsed at index 0
            ^"2024-01-01T00:00:00.004Z"^ | null                                 | reservedThrough is missing
            ^"2024-01-01T00:00:00.004Z"^ | "-1000000000-01-01T00:00:00Z"        | reservedThrough must be 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z: -1000000000-01-01T00:00:00Z
            ^"nonce":"nonce"^         | "nonce":null                            | nonce is missing
            ^"released":false^        | "released":"false"                      | released: Cannot coerce String value ("false") to `boolean` value
            """)
    void shouldSayWhatIsWrongWithAField(String good, @Nullable String bad, String why) {
        String payload = bad == null ? TEXT.replace(good + ",", "") : TEXT.replace(good, bad);
        assertEquals(PATH + " does not hold a slot record: " + why, malformed(payload, SlotRecord.class));
        assertEquals(Optional.empty(), found(payload, SlotRecord.class).readable());
    }

    /** What no time field of the scheme can hold is neither a retired slot's nor used up. */
    @ParameterizedTest
    @CsvSource({
        "/ids/sno/records/0, 549755813887",
        "/ids/eightbyte/03/records/0A, 4398046511103",
        "/ids/muid/records/1000000000005, 72057594037927935",
        "/ids/sixth/records/0, 4611686018427387903"
    })
    void shouldReadNoTickBeyondTheTimeFieldOfTheScheme(String path, long last) {
        assertEquals(
                last,
                found(path, TEXT.replace("42", "" + last), SlotRecord.class)
                        .get()
                        .ceiling());
        String beyond = TEXT.replace("42", "" + (last + 1));
        Znodes.Found<SlotRecord> found = found(path, beyond, SlotRecord.class);
        StoreException e = assertThrows(StoreException.class, found::get);
        assertEquals(Kind.MALFORMED, e.kind());
        assertEquals(
                path + " does not hold a slot record: ceiling must be -1.." + last + ": " + (last + 1), e.getMessage());
        assertEquals(Optional.empty(), found.readable());
        assertEquals(Optional.empty(), found.replaceable());
        String later = beyond.replace("\"version\":1", "\"version\":4,\"readableFrom\":1");
        assertEquals(
                Optional.of(Kind.NEWER),
                found(path, later, SlotRecord.class).fault().map(StoreException::kind));
    }

    /** It is what a retired slot may have been used until. */
    @Test
    void shouldReadNoTimeBeyondTheSchemes() {
        String end = "2079-09-07T15:47:35.552Z";
        String retired = TEXT.replace("42", "549755813887").replace("2024-01-01T00:00:00.004Z", end);
        assertEquals(Instant.parse(end), found(retired, SlotRecord.class).get().reservedThrough());
        assertEquals(
                PATH + " does not hold a slot record: reservedThrough must be at most " + end
                        + ": 2079-09-07T15:47:35.553Z",
                malformed(retired.replace(".552Z", ".553Z"), SlotRecord.class));
        assertEquals(
                Instant.parse(end),
                SlotRecord.retired(SnoGenerator.UNIT, Instant.parse("9999-12-31T00:00:00Z"))
                        .reservedThrough());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            "incarnation":"a/b"                              | meta node: incarnation must be a name of 1..100 letters, digits and ._-: a/b
            "incarnation":".."                               | meta node: incarnation must be a name of 1..100 letters, digits and ._-: ..
            "incarnation":7                                  | meta node: incarnation: Cannot coerce Integer value (7) to `java.lang.String` value
            "floor":"2024-01-01T00:00:00Z"                   | meta node: incarnation is missing
            "incarnation":"i","floor":"-1000000000-01-01T00:00:00Z" | meta node: floor must be 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z: -1000000000-01-01T00:00:00Z
            "incarnation":"i","floor":"2024-01-01T00:00:00Z","aheadMillis":-1 | meta node: aheadMillis must be 0..90000000: -1
            "generation":"a/b","layout":{},"windowMillis":1,"sessionTimeoutMillis":1,"maxClockSkewMillis":1             | layout node: generation must be a name of 1..100 letters, digits and ._-: a/b
            "generation":"g","floor":"2024-01-01T00:00:00Z","layout":{},"windowMillis":90000001,"sessionTimeoutMillis":1,"maxClockSkewMillis":1 | layout node: windowMillis must be 0..90000000: 90000001
            "host":"h","acquiredAt":"-1000000000-01-01T00:00:00Z" | lease node: acquiredAt must be 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z: -1000000000-01-01T00:00:00Z
            "hots":"h"                                       | lease node: host is missing
            "host":"\\u001b[2Jh"                             | lease node: host must have no control characters: ?[2Jh
            "host":"h"                                       | member node: since is missing
            """)
    void shouldSayWhatIsWrongWithOtherNodes(String fields, String why) {
        String payload = "{\"version\":1,\"nonce\":\"n\",\"instance\":\"a\",\"pid\":1," + fields + "}";
        Class<?> type = Map.of(
                        "meta", MetaNode.class,
                        "layout", LayoutNode.class,
                        "lease", LeaseNode.class,
                        "member", MemberNode.class)
                .get(why.substring(0, why.indexOf(' ')));
        assertEquals(PATH + " does not hold a " + why, malformed(payload, Objects.requireNonNull(type)));
    }

    /** A floor is further ahead than the window that it counts, and no less readable for that. */
    @Test
    void shouldReadTheFloorOfTheLongestTermsThatAreAllowed() {
        Terms longest = Terms.longest();
        SlotPool pool = Schemes.all().get(0).pool().orElseThrow();
        String layout = Json.write(LayoutNode.begun(pool, longest, Instant.EPOCH, longest.ahead(), Map.of()));

        assertEquals(layout, Json.write(found(layout, LayoutNode.class).get()));
    }

    /** They read what is written: a lease without what only they tell, and a member with more than they know. */
    @Test
    void shouldReadLeasesAndMembersOfEarlierReplicasAndBeReadByThem() {
        Instant noon = Instant.parse("2024-01-01T12:00:00Z");
        String common = "\"instance\":\"a\",\"host\":\"h\",\"pid\":1,\"url\":\"\",\"session\":\"0x1\",";
        String lease =
                "{\"version\":1,\"slot\":\"0\",\"nonce\":\"n\"," + common + "\"acquiredAt\":\"2024-01-01T12:00:00Z\"}";
        LeaseNode read = new LeaseNode(1, "0", "n", "a", "h", 1, "", "0x1", noon);
        String earlier = lease.replace("}", ",\"reservedThrough\":\"2024-01-01T12:00:00Z\"}");
        assertEquals(read, found(earlier, LeaseNode.class).get());
        assertEquals(lease, Json.write(read));

        String member = "{\"version\":1," + common + "\"since\":\"2024-01-01T12:00:00Z\"}";
        MemberNode untold = new MemberNode(1, "a", "h", 1, "", "0x1", noon, null, null, null);
        assertEquals(untold, found(member, MemberNode.class).get());
        assertEquals(member, Json.write(untold));
        assertEquals(
                member.replace("}", ",\"software\":\"2.0\",\"knows\":3,\"clockOffsetMillis\":-3}"),
                Json.write(new MemberNode(1, "a", "h", 1, "", "0x1", noon, "2.0", 3, -3L)));
    }
}
