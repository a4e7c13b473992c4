package org.idallocator.zk.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.idallocator.zk.simulation.Strands.Strand;
import org.junit.jupiter.api.Test;

final class StrandsTest {
    private final Strands strands = new Strands(this::next);
    private final List<String> seen = new ArrayList<>();
    private final Object lock = new Object();
    private long nowNanos;

    /** The other strand, where it may go on; time passes where neither may. */
    private Strand next() {
        Strand current = strands.current();
        Strand other = strands.all().get(1 - strands.all().indexOf(current));
        if (other.readyAtNanos() <= nowNanos && strands.mayGoOn(other)) {
            return other;
        }
        nowNanos = Math.max(nowNanos, Math.min(current.readyAtNanos(), other.readyAtNanos()));
        return current.readyAtNanos() <= nowNanos ? current : other;
    }

    @Test
    void shouldNotGoOnToALockWithWhichAnotherStrandHasPaused() {
        strands.add(() -> {
            strands.current().mayTake(lock);
            strands.pause();
            synchronized (lock) {
                strands.pause();
                seen.add("first");
            }
            strands.pause();
        });
        strands.add(() -> {
            strands.current().mayTake(lock);
            strands.pause();
            seen.add("second");
        });
        strands.run();
        assertEquals(List.of("first", "second"), seen);
    }

    @Test
    void shouldGoOnWhereAnotherStrandHasPausedWithALockThatThisOneDoesNotTake() {
        strands.add(() -> {
            strands.current().mayTake(lock);
            strands.pause();
            synchronized (lock) {
                strands.pause();
                seen.add("first");
            }
        });
        strands.add(() -> {
            strands.pause();
            seen.add("second");
        });
        strands.run();
        assertEquals(List.of("second"), seen);
    }

    @Test
    void shouldParkForAsLongAsIsAsked() {
        parkBeside(sleeper -> {});
        assertEquals(1_000, nowNanos);
    }

    @Test
    void shouldGoOnWhenItIsUnparked() {
        parkBeside(strands::unpark);
        assertEquals(0, nowNanos);
    }

    @Test
    void shouldNotParkWhenItWasUnparkedBefore() {
        strands.add(() -> {
            strands.unpark(Thread.currentThread());
            strands.park(1_000);
            assertEquals(0, nowNanos);
            strands.park(1_000);
        });
        strands.add(() -> strands.park(2_000));
        strands.run();
        assertEquals(1_000, nowNanos, "once");
    }

    /**
     * A strand parks until 1,000 ns. The other one then does something to its thread, and parks for longer. The first
     * to go on ends both.
     */
    private void parkBeside(Consumer<Thread> other) {
        AtomicReference<Thread> sleeper = new AtomicReference<>();
        strands.add(() -> {
            sleeper.set(Thread.currentThread());
            strands.park(1_000);
        });
        strands.add(() -> {
            other.accept(sleeper.get());
            strands.park(2_000);
        });
        strands.run();
    }
}
