package org.idallocator.service.draw;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.failures.RepeatedFailures;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An allocator, whose leases are in ZooKeeper. */
public final class LeasedIdSource implements IdSource {
    private static final Logger LOG = LoggerFactory.getLogger(LeasedIdSource.class);

    private final IdAllocator allocator;
    private final RepeatedFailures holderFailures = new RepeatedFailures(LOG);

    public LeasedIdSource(IdAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public List<Scheme<?>> schemes() {
        return allocator.schemes();
    }

    @Override
    public <T extends Id> IdGenerator<T> generator(Scheme<T> scheme) {
        return allocator.generator(scheme);
    }

    @Override
    public SchemeStatus status(Scheme<?> scheme) {
        return allocator.status(scheme);
    }

    @Override
    public List<HeldSlot> held() {
        return allocator.held();
    }

    @Override
    public Duration sinceLastStep() {
        return allocator.sinceLastStep();
    }

    @Override
    public Optional<LeaseNode> holder(Scheme<?> scheme, long slot) {
        try {
            Optional<LeaseNode> holder = allocator.cluster().holder(scheme, slot);
            holderFailures.succeeded();
            return holder;
        } catch (UnreachableException e) {
            holderFailures.failed("ZooKeeper cannot be asked who holds a slot; answers leave the holder out", e);
            return Optional.empty();
        }
    }
}
