package org.idallocator.service.cli.generate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;

/**
 * A slot of one scheme, leased for one call of a command. Closing this releases the slot, and so does the end of the process,
 * where somebody ends it before that (Ctrl-C) and ZooKeeper answers.
 */
public final class CommandLease<T extends Id> implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONGEST_FLOOR = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(20);

    private final Scheme<T> scheme;
    private final Ensemble ensemble;
    private final OrderlyEnd end;
    private final IdAllocator allocator;
    private boolean released;

    /** What was held when the release began. */
    private volatile List<HeldSlot> toRelease = List.of();

    /** Nobody has to answer any more: the slots are released, or as good as that. */
    private volatile boolean left;

    /** Begins to lease. {@code ensemble} is closed with this. */
    public CommandLease(Scheme<T> scheme, Ensemble ensemble, OrderlyEnd end) {
        this.scheme = scheme;
        this.ensemble = ensemble;
        this.end = end;
        this.allocator = IdAllocator.connect(only(scheme, ensemble.settings()));
        end.holding(new OrderlyEnd.Holding() {
            @Override
            public void release() {
                CommandLease.this.release();
            }

            /** To ask who holds a slot, be it any, takes some five milliseconds at most. */
            @Override
            public boolean answered() {
                return left || allocator.holder(scheme, 0).unknown().isEmpty();
            }

            @Override
            public Optional<String> kept() {
                return CommandLease.this.kept();
            }
        });
    }

    /** Settings for one slot of one scheme alone, under another instance name than the service's. */
    private static AllocatorSettings only(Scheme<?> scheme, AllocatorSettings settings) {
        String instance = "generate-" + Replica.local().instance();
        return settings.withSchemes(List.of(scheme)).withLeases(Map.of()).withReplica(Replica.named(instance, ""));
    }

    /**
     * The generator on the slot. Waits until the slot serves: for at most half a minute, or for at most two minutes where
     * the clock has yet to reach a floor, as after the first start on an ensemble.
     *
     * @throws CommandException saying which ZooKeeper gave no slot, and why
     * @throws CancellationException when the process is ending
     */
    public IdGenerator<T> generator(Waiting waiting) {
        Clock clock = Clock.system();
        Optional<FencedException> why = allocator.status(scheme).fenced();
        while (why.isPresent()) {
            Duration left = left(why.get(), waiting.soFar());
            if (end.told()) {
                throw new CancellationException("the process is ending");
            }
            if (left.isNegative()) {
                throw new CommandException(waiting.inVain(why.get()), why.get());
            }
            waiting.goesOn(why.get(), left);
            clock.park(POLL.toNanos());
            why = allocator.status(scheme).fenced();
        }
        return allocator.generator(scheme);
    }

    /** How much longer to wait; negative when it has been long enough. */
    private static Duration left(FencedException why, Duration waited) {
        boolean floor = why.reason() == FenceReason.COOLING && why.retryAfter().compareTo(LONGEST_FLOOR) <= 0;
        return floor ? why.retryAfter() : PATIENCE.minus(waited);
    }

    /** Returns when the slot is released, also where another thread releases it. */
    @Override
    public void close() {
        end.commandEnded();
        release();
    }

    private synchronized void release() {
        if (!released) {
            released = true;
            toRelease = allocator.held();
            try {
                allocator.close();
            } finally {
                left = true;
                ensemble.close();
            }
        }
    }

    /** A process that ends now leaves what a killed one leaves: no ID comes twice by that, as a slot's times are reserved. */
    private Optional<String> kept() {
        return left || toRelease.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "ZooKeeper does not answer: slot " + toRelease.get(0).slot() + " of " + scheme.name()
                                + " is not released, and is free again when the session has ended");
    }
}
