package org.idallocator.service.failures;

import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** How one failure is written: with its cause, or, where that is a state of the replica or of ZooKeeper, in one line that says all. */
final class FailureLine {
    private FailureLine() {}

    /** At debug every failure has its cause. */
    static void write(Logger log, Level level, String message, Throwable cause) {
        if (level != Level.DEBUG && isState(cause)) {
            log.atLevel(level).log("{}: {}", message, cause.getMessage());
        } else {
            log.atLevel(level).setCause(cause).log(message);
        }
    }

    private static boolean isState(Throwable cause) {
        return cause instanceof FencedException
                || cause instanceof OverCapacityException
                || cause instanceof UnreachableException;
    }
}
