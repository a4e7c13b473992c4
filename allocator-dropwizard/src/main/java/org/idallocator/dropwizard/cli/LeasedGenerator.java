package org.idallocator.dropwizard.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Terms;

/** A generator on a slot that is leased for one call of a command. Closing this releases the slot. Thread-safe. */
final class LeasedGenerator<T extends Id> implements AutoCloseable {
    /** How long a claim may take where no floor is ahead. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Scheme<T> scheme;
    private final ZooKeeperInUse zookeeper;
    private final Terms terms;
    private final IdAllocator allocator;
    private boolean closed;
    private volatile List<HeldSlot> held = List.of();

    /**
     * Begins to lease one slot, under another instance name than the service's. {@code zookeeper} is closed together
     * with this.
     */
    LeasedGenerator(Scheme<T> scheme, ZooKeeperInUse zookeeper) {
        AllocatorSettings settings =
                zookeeper.settings().withSchemes(List.of(scheme)).withLeases(Map.of());
        this.scheme = scheme;
        this.zookeeper = zookeeper;
        this.terms = settings.terms();
        this.allocator = IdAllocator.connect(
                settings.withReplica(Replica.named("generate-" + Replica.local().instance(), "")));
    }

    /**
     * Waits for the generator until its slot serves. If another thread closes this meanwhile, returns a generator that
     * draws nothing.
     */
    IdGenerator<T> await(Waiting waiting) throws InterruptedException {
        waiting.begin(zookeeper.description() + ", to give a slot of " + scheme.name());
        try {
            awaitReady(waiting);
        } catch (FencedException e) {
            if (e.reason() != FenceReason.CLOSED) {
                throw new CommandException(zookeeper.description() + ": " + e.getMessage(), e);
            }
        }
        waiting.close();
        return allocator.generator(scheme);
    }

    private void awaitReady(Waiting waiting) throws InterruptedException {
        try {
            allocator.awaitReady(scheme, PATIENCE);
        } catch (FencedException e) {
            Duration timeToClaim = timeToClaim(e, terms).orElseThrow(() -> e);
            waiting.begin(zookeeper.description() + ", until a floor is past: " + e.getMessage());
            allocator.awaitReady(scheme, timeToClaim);
        }
    }

    /**
     * How long to wait for a slot that was refused: until the floor is past that is ahead, and as long again as a claim
     * may take. The first start on an ensemble, a fence-restore and a relayout set such a floor, as far ahead as the
     * terms. Empty where the floor is further ahead than that, or something else is in the way: an operator has to see
     * to it.
     *
     * @param terms the largest by which replicas of the root reserve
     */
    static Optional<Duration> timeToClaim(FencedException refused, Terms terms) {
        Duration farthestFloor = terms.orLarger(Terms.undeclared()).reach();
        boolean passes =
                refused.reason() == FenceReason.COOLING && refused.retryAfter().compareTo(farthestFloor) <= 0;
        return passes ? Optional.of(refused.retryAfter().plus(PATIENCE)) : Optional.empty();
    }

    /** Releases the slot; returns when the slot is released, even when another thread has begun to release it. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            held = allocator.held();
            try (zookeeper) {
                allocator.close();
                held = List.of();
            }
        }
    }

    /**
     * Says what becomes of a slot that is not released yet although {@link #close} was called; empty when there is
     * none.
     */
    Optional<String> unreleasedSlot() {
        return held.stream()
                .findFirst()
                .map(slot -> "ZooKeeper does not answer: slot " + slot.slot() + " of " + scheme.name()
                        + " is not released, and is free again when the session has ended");
    }
}
