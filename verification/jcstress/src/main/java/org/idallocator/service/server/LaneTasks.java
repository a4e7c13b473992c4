package org.idallocator.service.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A lane of one permit, which a first task has, and the permits of tasks that began later, in that order. */
final class LaneTasks {
    private final Lane lane = new Lane(1);
    private final List<Lane.Permit> begun = new CopyOnWriteArrayList<>();
    private final Lane.Permit first = lane.newPermit(() -> {});

    LaneTasks() {
        first.enqueue();
    }

    Lane.Permit first() {
        return first;
    }

    Lane.Permit permit() {
        return new Task().permit;
    }

    private final class Task {
        private final Lane.Permit permit = lane.newPermit(this::begin);

        private void begin() {
            begun.add(permit);
        }
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
