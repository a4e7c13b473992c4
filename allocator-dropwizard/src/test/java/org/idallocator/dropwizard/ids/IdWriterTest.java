package org.idallocator.dropwizard.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.idallocator.core.scheme.Uid60Scheme;
import org.junit.jupiter.api.Test;

/** What may be between two IDs: eight bytes, as they are written in one step. */
class IdWriterTest {
    private static final int BUFFER_BYTES = 100;

    private static IdWriter writer(Frame frame) {
        Uid60Scheme scheme = new Uid60Scheme(Uid60Scheme.LONGEST_TENURE);
        return new IdWriter(
                frame, IdEncoder.of(scheme, scheme.type().hex()), new byte[BUFFER_BYTES], (bytes, length) -> {});
    }

    @Test
    void shouldWriteEightBytesBetweenTwoIds() {
        IdWriter writer = writer(new Frame("<", "|", "12345678", ">"));
        for (int i = 0; i < 3; i++) {
            writer.accept(0, 0);
        }
        writer.finish();

        String id = "0".repeat(15);
        assertEquals(
                "<" + id + "|" + id + "12345678" + id + ">", new String(writer.bytes(), StandardCharsets.US_ASCII));
    }

    @Test
    void shouldRefuseMoreBytesThanItWouldWrite() {
        Frame frame = new Frame("<", "|", "123456789", ">");

        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> writer(frame));
        assertEquals("between two IDs there may be 8 bytes at most: 9", refused.getMessage());
    }
}
