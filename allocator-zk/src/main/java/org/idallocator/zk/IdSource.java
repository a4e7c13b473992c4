package org.idallocator.zk;

import java.time.Duration;
import java.util.List;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Holder;

/** What requests need of the allocator. Thread-safe; nothing waits for ZooKeeper but {@link #holder}, for some five milliseconds. */
public interface IdSource {

    /** The schemes that are served, in the order of {@link org.idallocator.core.scheme.Schemes#all}. */
    List<Scheme<?>> schemes();

    /** Draws from whatever tenure serves a scheme. */
    <T extends Id> IdGenerator<T> generator(Scheme<T> scheme);

    /** The state of a scheme now. */
    SchemeStatus status(Scheme<?> scheme);

    /** Whether this replica is about to be drained, and serves until then. */
    boolean leaving();

    /** The slots that this replica holds. */
    List<HeldSlot> held();

    /** How long ago the thread that keeps the leases began or ended a step, as {@code IdAllocator.sinceLastStep} tells. */
    Duration sinceLastStep();

    /** Who holds a slot now, or that this is not known, because ZooKeeper does not answer at once. */
    Holder holder(Scheme<?> scheme, long slot);
}
