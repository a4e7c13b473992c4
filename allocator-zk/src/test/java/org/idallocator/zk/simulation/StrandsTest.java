package org.idallocator.zk.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.zk.simulation.Strands.Strand;
import org.junit.jupiter.api.Test;

final class StrandsTest {
    private final Strands strands = new Strands(this::next);
    private final List<String> seen = new ArrayList<>();
    private final Object lock = new Object();

    /** The other strand, where it may go on. */
    private Strand next() {
        Strand current = strands.current();
        return strands.all().stream()
                .filter(strand -> strand != current && strands.mayGoOn(strand))
                .findFirst()
                .orElse(current);
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
}
