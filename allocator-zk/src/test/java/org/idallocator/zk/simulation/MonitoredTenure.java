package org.idallocator.zk.simulation;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.SequenceView;
import org.idallocator.core.generator.SequenceView.Used;
import org.idallocator.zk.testing.Parts;

/** The fence and the generator of one tenure, as they are. Whoever asks changes nothing of them, and reads no clock. */
final class MonitoredTenure {
    private final Fence fence;
    private final AtomicReference<?> reason;
    private final AtomicLong word;
    private final SequenceView sequence;
    private long lastWord;

    /** The writes whose answer has come, an OK, and that the fence does not show yet. */
    final Set<String> answered = new LinkedHashSet<>();

    MonitoredTenure(Fence fence, Generator generator) {
        this.fence = fence;
        this.reason = (AtomicReference<?>) Parts.of(fence, "fenced");
        this.word = (AtomicLong) Parts.of(Parts.of(generator, "sequence"), "state");
        this.sequence = SequenceView.of(generator);
        this.lastWord = word.get();
    }

    long floor() {
        return fence.floorTick();
    }

    long ceiling() {
        return fence.ceilingTick();
    }

    boolean hasTripped() {
        return reason.get() != null;
    }

    /** Whether its generator is closed. */
    boolean isClosed() {
        return word.get() < 0;
    }

    /** What its generator has used. */
    Used used() {
        return sequence.used();
    }

    /** Notes where the generator is. Returns whether it was elsewhere when this was noted last. */
    boolean noteWord() {
        long now = word.get();
        boolean moved = now != lastWord;
        lastWord = now;
        return moved;
    }
}
