package org.idallocator.zk.lease;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs failures of what is tried again by itself until it succeeds. The first failure of a kind is a warning;
 * repetitions are logged at debug. A state of ZooKeeper or of a fence, which operators may cause, is told in one line, and with its
 * cause at debug alone; any other failure has its cause. Confined to one thread.
 */
final class FailureLog {
    /** States that every replica may be in for a while, although nothing is wrong. */
    private static final Set<FenceReason> USUAL =
            EnumSet.of(FenceReason.STARTING, FenceReason.COOLING, FenceReason.NO_FREE_SLOT);

    private final Logger log;
    private final Map<Object, Set<Object>> known = new HashMap<>();
    private final Set<Object> warned = new HashSet<>();

    FailureLog(Logger log) {
        this.log = log;
    }

    /** {@code subject} failed. The failure is a repetition if one of the same kind was told and not forgotten. */
    void failed(Object subject, Object kind, Throwable cause) {
        tell(Level.WARN, subject, kind, cause);
    }

    /** {@code subject} issues nothing for this reason: a warning, or no more than a remark where nothing is wrong. */
    void refused(Object subject, FencedException why) {
        tell(USUAL.contains(why.reason()) ? Level.INFO : Level.WARN, subject, why.reason(), why);
    }

    private void tell(Level first, Object subject, Object kind, Throwable cause) {
        boolean isFirst = known.computeIfAbsent(subject, s -> new HashSet<>()).add(kind);
        Level level = isFirst ? first : Level.DEBUG;
        if (level == Level.WARN) {
            warned.add(subject);
        }
        boolean frames = level == Level.DEBUG || !isState(cause);
        log.atLevel(level).setCause(frames ? cause : null).log("{}: {}{}", subject, reason(cause), cause.getMessage());
    }

    /** The word by which answers, metrics and the guide call what a fence says. */
    private static String reason(Throwable cause) {
        return cause instanceof FencedException fenced ? fenced.reason().code() + ": " : "";
    }

    /** Whether the message says all: what ZooKeeper answers, or does not, and what a fence says, is no fault of the program. */
    private static boolean isState(Throwable cause) {
        return cause instanceof StoreException
                || cause instanceof FencedException
                || cause instanceof IncarnationWatch.RolledBackException;
    }

    /** Forgets the failures of {@code subject}, which has succeeded or is not tried any more. Its next failure is a first. */
    void forget(Object subject) {
        known.remove(subject);
        warned.remove(subject);
    }

    /** The same for what has succeeded, which {@code news} tells where there was a warning. */
    void over(Object subject, String news) {
        if (warned.contains(subject)) {
            log.info(news);
        }
        forget(subject);
    }
}
