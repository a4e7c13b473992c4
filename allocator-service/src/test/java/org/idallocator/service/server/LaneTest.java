package org.idallocator.service.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens on one thread; jcstress has two threads on a lane. */
class LaneTest {
    private final List<String> started = new ArrayList<>();
    private final Lane lane = new Lane(2);

    private Lane.Permit entered(String name) {
        Lane.Permit permit = lane.newPermit(() -> started.add(name));
        permit.enqueue();
        return permit;
    }

    @Test
    void shouldStartTheNextAfterARest() {
        List<Runnable> resting = new ArrayList<>();
        Lane resters = new Lane(1, resting::add);
        Lane.Permit first = resters.newPermit(() -> started.add("first"));
        first.enqueue();
        resters.newPermit(() -> started.add("second")).enqueue();

        first.release();
        first.release();
        assertEquals(List.of("first"), started);
        assertEquals(1, resting.size());
        resting.get(0).run();
        assertEquals(List.of("first", "second"), started);
    }

    @Test
    void shouldStartSoManyAtATimeInTheOrderInWhichTheyCame() {
        Lane.Permit first = entered("first");
        entered("second");
        entered("third");
        entered("fourth");
        assertEquals(List.of("first", "second"), started);

        first.release();
        assertEquals(List.of("first", "second", "third"), started);
    }

    @Test
    void shouldTakeAPermitBackOnce() {
        Lane.Permit first = entered("first");
        entered("second");

        first.release();
        first.release();

        assertEquals(1, lane.availablePermits());
    }

    @Test
    void shouldPassOverATaskThatEndsBeforeItBegins() {
        Lane.Permit first = entered("first");
        entered("second");
        entered("third").release();
        entered("fourth");

        first.release();

        assertEquals(List.of("first", "second", "fourth"), started);
    }

    @Test
    void shouldHaveAllPermitsWhenNobodyWorks() {
        List.of(entered("first"), entered("second"), entered("third")).forEach(Lane.Permit::release);

        assertEquals(2, lane.availablePermits());
        assertEquals(List.of("first", "second", "third"), started);
    }
}
