package org.idallocator.service.draw;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.node.LeaseNode;

/** What the service needs of the allocator to answer. Thread-safe; only {@link #holder} asks ZooKeeper. */
public interface IdSource {

    /** What is served, in the list's order. */
    List<Scheme<?>> schemes();

    <T extends Id> IdGenerator<T> generator(Scheme<T> scheme);

    SchemeStatus status(Scheme<?> scheme);

    /** The slots that this replica holds. */
    List<HeldSlot> held();

    /** How long ago the thread that keeps the slots did anything: see {@code IdAllocator.sinceLastStep}. */
    Duration sinceLastStep();

    /** Who holds a slot now; empty when nobody does, and when ZooKeeper cannot be asked. */
    Optional<LeaseNode> holder(Scheme<?> scheme, long slot);
}
