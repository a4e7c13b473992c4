package org.idallocator.service.draw;

import java.time.Duration;
import java.util.List;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Holder;

/** An allocator, whose leases are in ZooKeeper. */
public final class LeasedIdSource implements IdSource {
    private final IdAllocator allocator;

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
    public boolean leaving() {
        return allocator.leaving();
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
    public Holder holder(Scheme<?> scheme, long slot) {
        return allocator.holder(scheme, slot);
    }
}
