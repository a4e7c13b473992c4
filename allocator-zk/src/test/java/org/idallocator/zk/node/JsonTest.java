package org.idallocator.zk.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final SlotRecord RECORD =
            new SlotRecord(1, 42, Instant.parse("2024-01-01T00:00:00.004Z"), "nonce", false, null, null, Map.of());
    private static final String TEXT = "{\"version\":1,\"ceiling\":42,\"reservedThrough\":\"2024-01-01T00:00:00.004Z\","
            + "\"nonce\":\"nonce\",\"released\":false}";
    private static final String LATER = ",\"colour\":{\"of\":[\"money\"]},\"none\":null";

    @Test
    void shouldWriteWhatPeopleCanRead() {
        assertEquals(TEXT, Json.write(RECORD));
    }

    @Test
    void shouldReadWhatItWrote() {
        assertEquals(RECORD, Json.read(PATH, TEXT, SlotRecord.class));
    }

    @Test
    void shouldReadLaterVersionsThatSayThatThisOneMay() {
        SlotRecord later = Json.read(PATH, written("\"version\":2,\"readableFrom\":1" + LATER), SlotRecord.class);
        assertEquals(42, later.ceiling());
        assertEquals(2, later.version());
        assertEquals("[colour, none]", later.unknown().keySet().toString());
    }

    /** What a later version added stays, and it is told who wrote the rest. */
    @Test
    void shouldWriteFieldsOfLaterVersionsAgain() {
        SlotRecord later = Json.read(PATH, written("\"version\":2,\"readableFrom\":1" + LATER), SlotRecord.class);
        String kept = TEXT.substring(0, TEXT.length() - 1) + LATER + "}";
        assertEquals(kept, Json.write(RECORD.keeping(later.unknown())));
    }

    @Test
    void shouldKeepFieldsOfLaterVersionsOfMetaAndLayout() {
        String meta =
                "{\"version\":1,\"incarnation\":\"i\",\"clusterId\":3,\"floor\":\"2024-01-01T00:00:00Z\"" + LATER + "}";
        assertEquals(meta, Json.write(Json.read(PATH, meta, MetaNode.class)));
        String layout =
                "{\"version\":1,\"generation\":\"g\",\"floor\":\"2024-01-01T00:00:00Z\",\"layout\":{\"slots\":1},"
                        + "\"windowMillis\":1,\"sessionTimeoutMillis\":2,\"maxClockSkewMillis\":3" + LATER + "}";
        assertEquals(layout, Json.write(Json.read(PATH, layout, LayoutNode.class)));
    }

    /** A ceiling of theirs may mean something else. */
    @ParameterizedTest
    @CsvSource({"'\"version\":2', 2", "'\"version\":3,\"readableFrom\":2', 2", "'\"readableFrom\":7,\"version\":7', 7"})
    void shouldNotReadWhatOnlyLaterVersionsUnderstand(String version, int readableFrom) {
        String payload = written(version);
        for (Executable reading : List.<Executable>of(
                () -> Json.read(PATH, payload, SlotRecord.class),
                () -> Json.replaceable(PATH, payload, SlotRecord.class))) {
            StoreException e = assertThrows(StoreException.class, reading);
            assertEquals(Kind.NEWER, e.kind());
            assertEquals(
                    PATH + " can be understood from shape version " + readableFrom
                            + " on; this software knows shape version 1",
                    e.getMessage());
        }
        assertEquals(Optional.empty(), Json.readable(PATH, payload, SlotRecord.class));
    }

    /** It says that this version may read it, and is wrong: that makes it no payload that anybody may write over. */
    @ParameterizedTest
    @ValueSource(strings = {"\"ceiling\":-7", "\"ceiling\":null", "\"upTo\":42"})
    void shouldCallNothingMalformedThatALaterVersionWrote(String ceiling) {
        String payload = written("\"version\":2,\"readableFrom\":1").replace("\"ceiling\":42", ceiling);
        StoreException e = assertThrows(StoreException.class, () -> Json.replaceable(PATH, payload, SlotRecord.class));
        assertEquals(Kind.NEWER, e.kind());
        assertEquals(
                PATH + " was written by shape version 2, and cannot be read; this software knows shape version 1",
                e.getMessage());
        assertEquals(Optional.empty(), Json.readable(PATH, payload, SlotRecord.class));
    }

    @Test
    void shouldTakeAMissingVersionForTheFirst() {
        assertEquals(RECORD, Json.read(PATH, TEXT.replace("\"version\":1,", ""), SlotRecord.class));
    }

    @ParameterizedTest
    @CsvSource({
        "'\"version\":0', version must be a number 1..2147483647: 0",
        "'\"version\":2147483648', version must be a number 1..2147483647: 2147483648",
        "'\"version\":1.5', version must be a number 1..2147483647: 1.5",
        "'\"version\":\"1\"', version must be a number 1..2147483647: \"1\"",
        "'\"version\":null', version must be a number 1..2147483647: null",
        "'\"version\":1,\"readableFrom\":2', readableFrom must be a number 1..1: 2",
        "'\"version\":4,\"readableFrom\":0', readableFrom must be a number 1..4: 0",
    })
    void shouldCallVersionsMalformedThatCannotBe(String version, String why) {
        String payload = written(version);
        StoreException e = assertThrows(StoreException.class, () -> Json.read(PATH, payload, SlotRecord.class));
        assertEquals(Kind.MALFORMED, e.kind());
        assertEquals(PATH + " does not hold a slot record: " + why, e.getMessage());
        assertEquals(Optional.empty(), Json.replaceable(PATH, payload, SlotRecord.class));
    }

    private static String written(String version) {
        return TEXT.replace("\"version\":1", version);
    }

    /** A ceiling that is missing must not be read as 0: the next tenure would start at tick 1. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "12",
                "{}",
                "{\"version\":1,\"reservedThrough\":\"2024-01-01T00:00:00Z\",\"nonce\":\"n\",\"released\":false}",
                "{\"version\":1,\"ceiling\":null,\"reservedThrough\":\"2024-01-01T00:00:00Z\",\"nonce\":\"n\",\"released\":false}",
                "{\"version\":1,\"ceiling\":\"far\",\"reservedThrough\":\"2024-01-01T00:00:00Z\",\"nonce\":\"n\",\"released\":false}",
                "{\"version\":1,\"ceiling\":1,\"reservedThrough\":\"2024-01-01T00:00:00Z\",\"released\":false}",
            })
    void shouldNameNodeWhenPayloadIsMalformed(String payload) {
        StoreException e = assertThrows(StoreException.class, () -> Json.read(PATH, payload, SlotRecord.class));
        assertEquals(Kind.MALFORMED, e.kind());
        assertEquals(PATH + " does not hold a slot record", e.getMessage());
    }

    /** The shapes of leases and members that earlier replicas write and read. */
    private record EarlierLease(
            int version,
            String slot,
            String nonce,
            String instance,
            String host,
            long pid,
            String url,
            String session,
            Instant acquiredAt,
            @Nullable Instant reservedThrough) {}

    private record EarlierMember(
            int version, String instance, String host, long pid, String url, String session, Instant since) {}

    @Test
    void shouldReadLeasesOfEarlierReplicasAndBeReadByThem() {
        Instant noon = Instant.parse("2024-01-01T12:00:00Z");
        LeaseNode lease = new LeaseNode(1, "0", "n", "a", "h", 1, "", "0x1", noon);
        EarlierLease earlier = new EarlierLease(1, "0", "n", "a", "h", 1, "", "0x1", noon, noon);

        assertEquals(lease, Json.read(PATH, Json.write(earlier), LeaseNode.class));
        assertEquals(
                new EarlierLease(1, "0", "n", "a", "h", 1, "", "0x1", noon, null),
                Json.read(PATH, Json.write(lease), EarlierLease.class));
    }

    @Test
    void shouldReadMembersOfEarlierReplicasAndBeReadByThem() {
        Instant noon = Instant.parse("2024-01-01T12:00:00Z");
        EarlierMember earlier = new EarlierMember(1, "a", "h", 1, "", "0x1", noon);
        MemberNode untold = new MemberNode(1, "a", "h", 1, "", "0x1", noon, null, null);

        assertEquals(untold, Json.read(PATH, Json.write(earlier), MemberNode.class));
        assertEquals(Json.write(earlier), Json.write(untold));
        assertEquals(
                earlier,
                Json.read(
                        PATH,
                        Json.write(new MemberNode(1, "a", "h", 1, "", "0x1", noon, "2.0", -3L)),
                        EarlierMember.class));
    }
}
