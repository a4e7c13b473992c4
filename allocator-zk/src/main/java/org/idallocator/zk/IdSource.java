package org.idallocator.zk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.Outage;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Holder;

/**
 * What requests need of the allocator. Thread-safe; only {@link #holder} waits for ZooKeeper, for some five
 * milliseconds.
 */
public interface IdSource {

    /** The schemes that are served, in the order of {@code AllocatorSettings.schemes}. */
    List<Scheme<?>> schemes();

    /**
     * Draws from whatever tenure serves a scheme of {@link #schemes}; throws {@link IllegalArgumentException} for
     * others.
     */
    <T extends Id> IdGenerator<T> generator(Scheme<T> scheme);

    /** The state of a scheme now. */
    SchemeStatus status(Scheme<?> scheme);

    /** Whether this replica is about to be drained, and serves until then. */
    boolean leaving();

    /** The slots that this replica holds. */
    List<HeldSlot> held();

    /** ZooKeeper gives this replica no answer; empty while it answers. */
    Optional<Outage> outage();

    /**
     * How long ago the thread that keeps the leases began or ended a step, as {@code IdAllocator.sinceLastStep} tells.
     */
    Duration sinceLastStep();

    /**
     * Who holds a slot now; the holder is not known where ZooKeeper does not answer at once, or is asked too much
     * already.
     */
    Holder holder(Scheme<?> scheme, long slot);
}
