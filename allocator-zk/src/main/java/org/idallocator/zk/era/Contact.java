package org.idallocator.zk.era;

import java.time.Duration;
import java.time.Instant;
import org.idallocator.zk.settings.Terms;

/**
 * A time in which ZooKeeper has told one replica its time, with the answers to writes, so often that no backup can have
 * come back in between. So all that the replica learned in one contact is of one history of ZooKeeper: nothing of it
 * was lost since the contact began.
 *
 * @param number names the contact; no other one of the process has it
 * @param since since when nothing was lost: ZooKeeper's time in the first answer, or an earlier time, since which
 *     another replica has been in contact with the same history
 */
public record Contact(int number, Instant since) {
    /** How far the clocks of two leaders may be apart. */
    public static final Duration LEADERS_APART = Duration.ofSeconds(1);

    /** Answers that are so far apart belong to two contacts. */
    public static final Duration LONGEST_GAP = Terms.RESTORE.minus(LEADERS_APART);

    /**
     * The contact to which an answer belongs that comes next.
     *
     * @param answered ZooKeeper's time in it
     * @param gap how long that is after the answer before it, by ZooKeeper's clocks
     * @param own the same, since that was asked for, by the monotonic clock
     */
    Contact after(Instant answered, Duration gap, Duration own) {
        boolean unbroken = gap.compareTo(LEADERS_APART.negated()) > 0
                && gap.compareTo(LONGEST_GAP) < 0
                && own.compareTo(LONGEST_GAP) < 0;
        return unbroken ? this : new Contact(number + 1, answered);
    }

    /** The same contact, where another replica has been in contact since an earlier time. */
    Contact vouchedFor(Instant earlier) {
        return earlier.isBefore(since) ? new Contact(number, earlier) : this;
    }

    /**
     * The end of all that tenures of these terms may have reserved in a history that was lost before this contact.
     * Whoever claims a slot begins there or later: the record may know nothing of them, and they may serve on.
     */
    public Instant forgottenUntil(Terms terms) {
        return since.minus(Terms.RESTORE).plus(terms.lead());
    }
}
