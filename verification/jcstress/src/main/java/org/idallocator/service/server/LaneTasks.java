package org.idallocator.service.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** A lane of one permit, which a first task has, and the permits of tasks that began later, in that order. */
final class LaneTasks {
    private final Lane lane = new Lane(1);
    private final List<Lane.Permit> begun = new CopyOnWriteArrayList<>();
    private final Lane.Permit first = lane.permit(() -> {});

    LaneTasks() {
        first.enter();
    }

    Lane.Permit first() {
        return first;
    }

    Lane.Permit permit() {
        AtomicReference<Lane.Permit> own = new AtomicReference<>();
        own.set(lane.permit(() -> begun.add(own.get())));
        return own.get();
    }

    /** How many tasks have begun. */
    int begun() {
        return begun.size();
    }

    /** Ends the task that began last, if any did. */
    void endLast() {
        if (!begun.isEmpty()) {
            begun.get(begun.size() - 1).release();
        }
    }

    int availablePermits() {
        return lane.availablePermits();
    }
}
