package org.idallocator.spring;

import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.SchemeStatus;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up while every scheme serves, also while ZooKeeper is away and IDs come from what is reserved. Otherwise, and where
 * the allocator is about to be drained, out of service, so that no load balancer sends requests here. The details tell
 * what each scheme does.
 */
final class IdAllocatorHealth implements HealthIndicator {
    private final IdAllocator allocator;

    IdAllocatorHealth(IdAllocator allocator) {
        this.allocator = allocator;
    }

    /** That of a program whose generators are of no allocator. */
    static Health ofNone() {
        return Health.unknown()
                .withDetail(
                        "allocator",
                        "there is not one: the program has other IdGenerators or several allocators, or has disabled it")
                .build();
    }

    @Override
    public Health health() {
        Health.Builder health = allocator.leaving() ? Health.outOfService() : Health.up();
        for (Scheme<?> scheme : allocator.schemes()) {
            SchemeStatus status = allocator.status(scheme);
            health.withDetail(status.scheme(), inWords(status));
            if (!status.active()) {
                health.outOfService();
            }
        }
        allocator.outage().ifPresent(outage -> health.withDetail("zookeeper", outage.inWords()));
        return health.build();
    }

    private static String inWords(SchemeStatus status) {
        String lacking = status.lacking().map(IdAllocatorHealth::inWords).orElse("");
        if (!status.active()) {
            return lacking;
        }
        return status.slots()
                .filter(slots -> slots.serving() < slots.leases())
                .map(slots -> "serves with " + slots.serving() + " of " + slots.leases() + " slots: " + lacking)
                .orElse("serves");
    }

    private static String inWords(FencedException why) {
        return why.reason().code() + ": " + why.getMessage();
    }
}
