package org.idallocator.service.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;

/** A generator on a slot that is leased for one call of a command. Closing this releases the slot. Thread-safe. */
final class LeasedGenerator<T extends Id> implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONGEST_FLOOR = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(20);

    private final Scheme<T> scheme;
    private final Ensemble ensemble;
    private final IdAllocator allocator;
    private final Clock clock = Clock.system();
    private boolean closed;
    private volatile List<HeldSlot> held = List.of();

    /** Begins to lease. {@code ensemble} is closed with this. */
    LeasedGenerator(Scheme<T> scheme, Ensemble ensemble) {
        this.scheme = scheme;
        this.ensemble = ensemble;
        this.allocator = IdAllocator.connect(only(scheme, ensemble.settings()));
    }

    /** Settings for one slot of one scheme alone, under another instance name than the service's. */
    private static AllocatorSettings only(Scheme<?> scheme, AllocatorSettings settings) {
        String instance = "generate-" + Replica.local().instance();
        return settings.withSchemes(List.of(scheme)).withLeases(Map.of()).withReplica(Replica.named(instance, ""));
    }

    /**
     * The generator, as soon as its slot serves. Waits for at most half a minute, or for at most two minutes where the clock has yet
     * to reach a floor, as after the first start on an ensemble; no longer when {@code ending} says that the process ends.
     */
    IdGenerator<T> await(Waiting waiting, BooleanSupplier ending) {
        long begunNanos = clock.nanos();
        Optional<FenceReason> said = Optional.empty();
        Optional<FencedException> why = allocator.status(scheme).fenced();
        while (why.isPresent() && !ending.getAsBoolean()) {
            Duration left = left(why.get(), clock.nanos() - begunNanos);
            if (said.filter(why.get().reason()::equals).isEmpty()) {
                waiting.begin(words(why.get(), left));
                said = Optional.of(why.get().reason());
            }
            clock.park(POLL.toNanos());
            why = allocator.status(scheme).fenced();
        }
        waiting.close();
        return allocator.generator(scheme);
    }

    /** How much longer to wait. */
    private Duration left(FencedException why, long waitedNanos) {
        boolean floor = why.reason() == FenceReason.COOLING && why.retryAfter().compareTo(LONGEST_FLOOR) <= 0;
        Duration left = floor ? why.retryAfter() : PATIENCE.minusNanos(waitedNanos);
        if (left.isNegative()) {
            throw new CommandException(
                    ensemble.description() + ", gave no slot within "
                            + Duration.ofNanos(waitedNanos).toSeconds() + " s: " + why.getMessage(),
                    why);
        }
        return left;
    }

    /** That nothing has come yet goes without saying. */
    private String words(FencedException why, Duration left) {
        return ensemble.description() + ", for " + (left.toSeconds() + 1) + " s more at most"
                + (why.reason() == FenceReason.STARTING ? "" : ": " + why.getMessage());
    }

    /** Returns when the slot is released, also where another thread releases it. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            held = allocator.held();
            try {
                allocator.close();
                held = List.of();
            } finally {
                ensemble.close();
            }
        }
    }

    /** What becomes of a slot that is not released yet, though {@link #close} was called. */
    Optional<String> kept() {
        return held.stream()
                .findFirst()
                .map(slot -> "ZooKeeper does not answer: slot " + slot.slot() + " of " + scheme.name()
                        + " is not released, and is free again when the session has ended");
    }
}
