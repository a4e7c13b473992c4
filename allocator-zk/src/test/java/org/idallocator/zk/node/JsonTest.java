package org.idallocator.zk.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads are read as they were written, and never read wrongly. */
final class JsonTest {
    private static final String PATH = "/ids/sno/records/0";
    private static final SlotRecord RECORD =
            new SlotRecord(1, 42, Instant.parse("2024-01-01T00:00:00.004Z"), "nonce", false, null, null);
    private static final String TEXT = "{\"version\":1,\"ceiling\":42,\"reservedThrough\":\"2024-01-01T00:00:00.004Z\","
            + "\"nonce\":\"nonce\",\"released\":false}";

    @Test
    void shouldWriteWhatPeopleCanRead() {
        assertEquals(TEXT, Json.write(RECORD));
    }

    @Test
    void shouldReadWhatItWrote() {
        assertEquals(RECORD, Json.read(PATH, TEXT, SlotRecord.class));
    }

    @Test
    void shouldIgnoreFieldsOfLaterVersions() {
        String later = TEXT.replace("\"version\":1", "\"version\":2,\"colour\":{\"of\":[\"money\"]}");
        assertEquals(42, Json.read(PATH, later, SlotRecord.class).ceiling());
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
