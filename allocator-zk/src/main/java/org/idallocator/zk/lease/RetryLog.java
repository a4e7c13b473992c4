package org.idallocator.zk.lease;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs failures of what is tried again by itself until it succeeds. The first failure of a kind is a warning;
 * repetitions are logged at debug. A state of ZooKeeper or of a fence, which operators may cause, is told in one line,
 * and with its cause at debug alone; any other failure has its cause. Confined to one thread.
 */
final class RetryLog {
    /** States that every replica may be in for a while, although nothing is wrong. */
    private static final Set<FenceReason> USUAL =
            EnumSet.of(FenceReason.STARTING, FenceReason.COOLING, FenceReason.NO_FREE_SLOT);

    private static final Logger LOG = LoggerFactory.getLogger(RetryLog.class);

    private final Map<Object, Set<Object>> known = new HashMap<>();

    /**
     * Tells that {@code subject} failed, or issues nothing for this reason. Whatever is tried again by itself is a
     * subject, in its own words; two that are equal are one. The failure is a repetition if one of the same kind was
     * told and not forgotten. A usual state is no more than a remark.
     */
    void tellFailure(Object subject, Throwable cause) {
        Object kind = kind(cause);
        boolean first = remember(subject, kind);
        Level firstLevel = USUAL.contains(kind) ? Level.INFO : Level.WARN;
        // what ZooKeeper answers, or does not, and what a fence says, is no fault of the program: the message says all
        boolean frames = !first || !(kind instanceof Enum<?> || cause instanceof ChangedMeanwhileException);
        String reason = kind instanceof FenceReason fenced ? fenced.code() + ": " : "";
        LOG.atLevel(first ? firstLevel : Level.DEBUG)
                .setCause(frames ? cause : null)
                .log("{}: {}{}", subject, reason, cause.getMessage());
    }

    /**
     * Tells what is odd about {@code subject}, where nothing has failed: as a warning, and at debug where the same was
     * told before.
     */
    void tellOddity(Object subject, String oddity) {
        LOG.atLevel(remember(subject, oddity) ? Level.WARN : Level.DEBUG).log("{}: {}", subject, oddity);
    }

    /** Remembers that this was told of {@code subject}. Returns whether it is news. */
    private boolean remember(Object subject, Object kind) {
        return known.computeIfAbsent(subject, s -> new HashSet<>()).add(kind);
    }

    private static Object kind(Throwable cause) {
        if (cause instanceof FencedException fenced) {
            return fenced.reason();
        }
        return cause instanceof StoreException answer ? answer.kind() : cause.getClass();
    }

    /**
     * Forgets the failures of {@code subject}, which has succeeded or is not tried any more. Its next failure is a
     * first.
     */
    void forget(Object subject) {
        known.remove(subject);
    }

    /** Forgets the failures of {@code subject}, which has succeeded, and tells this news where there was a warning. */
    void tellRecovery(Object subject, String news) {
        if (!USUAL.containsAll(known.getOrDefault(subject, Set.of()))) {
            LOG.info(news);
        }
        forget(subject);
    }
}
