package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.EightByteId;
import org.junit.jupiter.api.Test;

/** Which calls are heard of because they waited, and for how long. A tick is a millisecond and holds 64 IDs; 0.3 ms of it are past. */
class WaitListenerTest {
    private static final long NOW_MS = 1_000_000;
    private static final int CAPACITY = 64;

    private final ScriptedClock clock = new ScriptedClock(NOW_MS * 1_000 + 300);
    private final Fence fence = Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick());
    private final Generator generator = new EightByteGenerator(0, 0, false, fence);
    private final List<Duration> heard = new ArrayList<>();

    private IdGenerator<EightByteId> waitingFor(Duration maxWait) {
        return waitingFor(() -> generator, maxWait);
    }

    private IdGenerator<EightByteId> waitingFor(TenureSource<Generator> source, Duration maxWait) {
        return new IdGenerator<>(source, EightByteId::new, EightByteGenerator.UNIT, maxWait, clock)
                .onWait(nanos -> heard.add(Duration.ofNanos(nanos)));
    }

    @Test
    void shouldHearNothingOfCallsThatNeedNotWait() {
        IdGenerator<EightByteId> ids = waitingFor(Duration.ofSeconds(1));

        ids.next(CAPACITY - 1, (high, low) -> {});
        ids.next();

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldHearOnceOfACallThatWaitsForSeveralTicks() {
        waitingFor(Duration.ofSeconds(1)).next(3 * CAPACITY + 1, (high, low) -> {});

        assertEquals(List.of(Duration.ofNanos(2_700_000)), heard);
    }

    /** The next tick is too far off for who waits for no longer than a nanosecond. */
    @Test
    void shouldHearOfNoWaitWhereACallIsRefusedAtOnce() {
        IdGenerator<EightByteId> ids = waitingFor(Duration.ofNanos(1));

        assertThrows(OverCapacityException.class, () -> ids.next(CAPACITY + 1, (high, low) -> {}));

        assertEquals(List.of(Duration.ZERO), heard);
    }

    /** Whoever refuses a call before it waits hears nothing further of it, and the call is in no line. */
    @Test
    void shouldRefuseCallsBeforeTheyWait() {
        IdGenerator<EightByteId> ids = waitingFor(Duration.ofSeconds(1));
        IdGenerator<EightByteId> refused = ids.onWait(new WaitListener() {
            @Override
            public void begins() {
                throw new OverCapacityException("too many wait", Duration.ofSeconds(1));
            }

            @Override
            public void waited(long nanos) {
                heard.add(Duration.ofNanos(nanos));
            }
        });
        refused.next(CAPACITY, (high, low) -> {});

        assertThrows(OverCapacityException.class, refused::next);

        assertEquals(List.of(), heard);
        assertEquals(0, clock.nanos());
        clock.advance(Duration.ofMillis(1));
        assertEquals(CAPACITY, ids.nextUpTo(CAPACITY, (high, low) -> {}), "all of the next tick");
    }

    @Test
    void shouldHearOfACallThatFailsAfterItsWait() {
        Fence ends = Fence.unbounded(clock, 0, NOW_MS);
        Generator ending = new EightByteGenerator(1, 0, false, ends);
        IdGenerator<EightByteId> ids = waitingFor(() -> ending, Duration.ofSeconds(1));

        assertThrows(FencedException.class, () -> ids.next(CAPACITY + 1, (high, low) -> {}));

        assertEquals(List.of(Duration.ofNanos(700_000)), heard);
    }

    /** Both listeners hear, whichever was named first. */
    @Test
    void shouldKeepTheListenerOfOverflows() {
        List<Overflow> overflows = new ArrayList<>();
        IdGenerator<EightByteId> ids = waitingFor(Duration.ofSeconds(1)).onOverflow(overflows::add, Runnable::run);

        ids.next(CAPACITY + 1, (high, low) -> {});
        ids.onWait(WaitListener.NONE).next(CAPACITY, (high, low) -> {});

        assertEquals(1, heard.size());
        assertEquals(2, overflows.size());
    }
}
