package org.idallocator.service.draw;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.generator.OverCapacityException;
import org.junit.jupiter.api.Test;

/** Which batches are refused before they are drawn. The ticks hold 1,000 IDs a second, and a batch may take ten seconds. */
class BacklogTest {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private int flushed;
    private final Backlog backlog = new Backlog(() -> 1_000, LONGEST);

    private OverCapacityException refused(long ids) {
        return assertThrows(OverCapacityException.class, () -> backlog.begin(ids));
    }

    private void admitted(long ids) {
        assertDoesNotThrow(() -> backlog.begin(ids)).close();
    }

    /** Its own time is what {@code maxCount} bounds. */
    @Test
    void shouldAdmitWhoeverIsAlone() {
        admitted(100_000);
    }

    @Test
    void shouldRefuseWhatTakesTooLongBesideOthers() {
        Backlog.Batch first = backlog.begin(6_000);

        admitted(5_000); // all of them, and as many of the first
        OverCapacityException refused = refused(5_001);

        assertTrue(String.valueOf(refused.getMessage()).contains("limits.longestBatch"), refused::toString);
        assertEquals(Duration.ofMillis(2), refused.retryAfter());
        first.close();
        admitted(5_001);
    }

    /** A small batch shares with a large one, and is soon over. */
    @Test
    void shouldCountOfALargeBatchWhatASmallOneWaitsFor() {
        var large = backlog.begin(1_000_000);

        admitted(100);
        large.close();
    }

    @Test
    void shouldCountWhatIsLeft() {
        Backlog.Batch first = backlog.begin(10_000);
        refused(10_000);

        first.got(10_000);
        admitted(10_000);
    }

    /** Clients that do not read keep nobody else from drawing. */
    @Test
    void shouldCountNobodyWhoseClientTakesItsTime() throws IOException {
        Backlog.Batch first = backlog.begin(10_000);
        ByteArrayOutputStream slow = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int offset, int length) {
                admitted(10_000);
                super.write(bytes, offset, length);
            }

            @Override
            public void flush() {
                admitted(10_000);
                flushed++;
            }
        };
        List<String> heard = new ArrayList<>();
        Caller caller = new Caller() {
            @Override
            public boolean waits() {
                return true;
            }

            @Override
            public void worksOn() {
                heard.add("works on with " + slow.size());
            }
        };
        OutputStream sending = first.sending(slow, caller);

        sending.write(new byte[3]);
        refused(10_000);
        sending.flush();

        assertEquals(3, slow.size());
        assertEquals(1, flushed);
        refused(10_000);
        assertEquals(List.of("works on with 3", "works on with 3"), heard);
    }

    @Test
    void shouldCountNoSingles() {
        backlog.begin(1);

        admitted(100_000);
    }

    @Test
    void shouldRefuseNobodyWhereNothingIsLimited() {
        Backlog unlimited = new Backlog(() -> Long.MAX_VALUE, LONGEST);
        unlimited.begin(Integer.MAX_VALUE);

        assertDoesNotThrow(() -> unlimited.begin(Integer.MAX_VALUE)).close();
    }
}
