package org.idallocator.dropwizard.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.http.BodyLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What all limits let in at a time has room in the heap together. {@code SmallHeapFloodIT} shows it with a process. */
class UsualLimitsTest {
    private static final long MIB = 1_024 * 1_024;
    private static final int THREADS = 128;

    private static long sum(Limits limits) {
        return Limits.BYTES_WITHOUT_CLIENTS
                + limits.requests() * Limits.REQUEST_BYTES
                + limits.connections() * Limits.CONNECTION_BYTES
                + limits.bodies() * Limits.BODY_BYTES;
    }

    @ParameterizedTest
    @CsvSource({"28, 128", "64, 128", "72, 128", "72, 1024", "256, 1024", "512, 128", "16384, 10000"})
    void shouldLeaveRoomForGarbageWhateverTheHeap(long mebibytes, int threads) {
        long heap = mebibytes * MIB;

        long sum = sum(Limits.usual(heap, threads));

        assertTrue(sum <= heap - (heap - Limits.BYTES_WITHOUT_CLIENTS) * 3 / 16, mebibytes + ": " + sum);
    }

    @Test
    void shouldBeWhatPagesSay() {
        Limits small = Limits.usual(72 * MIB, THREADS);
        assertEquals(new Limits(32, 48, Duration.ofSeconds(20), 128, 512, 100), small);

        assertEquals(95, Limits.usual(119 * MIB, THREADS).requests());
        assertEquals(96, Limits.usual(120 * MIB, THREADS).requests());
        assertEquals(512, Limits.usual(216 * MIB, THREADS).bodies());

        Limits large = Limits.usual(1_024 * MIB, THREADS);
        assertEquals(new Limits(64, 96, Duration.ofSeconds(20), 512, 10_666, 100), large);
    }

    /** However many are configured. */
    @Test
    void shouldLeaveAThirdOfTheRequestsToOthersThanStreams() {
        assertEquals(6, Limits.usualStreams(8));
        assertEquals(64, Limits.usualStreams(1_000));
    }

    @Test
    void shouldBeOneOfEachWhereThereIsNoRoom() {
        assertEquals(new Limits(1, 1, Duration.ofSeconds(20), 1, 1, 100), Limits.usual(MIB, THREADS));
    }

    @Test
    void shouldLeaveRoomForTheLargestAnswerOfEachForm() {
        for (Scheme<?> scheme : Schemes.all()) {
            assertFits(scheme);
        }
    }

    private static <T extends Id> void assertFits(Scheme<T> scheme) {
        for (Form<T> form : scheme.type().forms()) {
            for (Media media : Media.values()) {
                IdRequest<T> request =
                        new IdRequest<>(scheme, IdRequest.LARGEST_WHOLE, true, scheme.defaultVariant(), form);
                IdEncoder encoder = request.encoder();
                long longest = media.frame(request).length(request.ids(), encoder.longest());
                long copies = encoder.fixed() ? 1 : 2; // the buffer is larger than what is sent
                assertTrue(
                        copies * longest <= Limits.REQUEST_BYTES, scheme.name() + " " + form.name() + ": " + longest);
            }
        }
    }

    /** What comes in parts is kept in an array that grows to twice its length, and copied once. */
    @Test
    void shouldLeaveRoomForTheLargestBody() {
        assertTrue(BodyLimit.BYTES * 3 <= Limits.BODY_BYTES);
    }
}
