package org.idallocator.dropwizard.ids;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.idallocator.core.generator.OverCapacityException;
import org.junit.jupiter.api.Test;

/**
 * Which batches are refused before they are drawn. The ticks hold 1,000 IDs a second, and a batch may take ten seconds.
 */
class BacklogTest {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Backlog backlog = new Backlog(() -> 1_000, LONGEST);

    private OverCapacityException refused(long ids) {
        return assertThrows(OverCapacityException.class, () -> backlog.begin(ids));
    }

    private void admitted(long ids) {
        assertDoesNotThrow(() -> backlog.begin(ids)).close();
    }

    /** Its own time is what {@code maxCount} bounds; and a single ID is nobody's company. */
    @Test
    void shouldAdmitWhoeverIsAlone() {
        backlog.begin(1);

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

    /**
     * A small batch shares with a large one, and is soon over. Clients that do not read keep nobody else from drawing.
     */
    @Test
    void shouldCountOfABatchWhatAnotherOneWaitsFor() {
        Backlog.Batch large = backlog.begin(1_000_000);

        admitted(100);
        refused(10_000);
        large.setSending(true);
        admitted(10_000);
        large.setSending(false);
        refused(10_000);
        large.setDrawn(1_000_000);
        admitted(10_000);
    }

    @Test
    void shouldRefuseNobodyWhereNothingIsLimited() {
        Backlog unlimited = new Backlog(() -> Long.MAX_VALUE, LONGEST);
        unlimited.begin(Integer.MAX_VALUE);

        assertDoesNotThrow(() -> unlimited.begin(Integer.MAX_VALUE)).close();
    }
}
