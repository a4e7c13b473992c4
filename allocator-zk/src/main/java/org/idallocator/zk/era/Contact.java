package org.idallocator.zk.era;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.idallocator.zk.settings.Terms;

/**
 * A time in which ZooKeeper's answers to one replica were never so far apart that a backup can have come back in between. So all that the
 * replica learned in one contact is of one history of ZooKeeper: nothing of it was lost since the contact began.
 *
 * @param number names the contact; no other one of the process has it
 * @param sinceMicros ZooKeeper's time in the first answer, in microseconds since 1970; or an earlier time, since which another replica has
 *     been in contact with the same history
 */
public record Contact(int number, long sinceMicros) {
    /** How far the clocks of two leaders may be apart. */
    public static final Duration LEADERS_APART = Duration.ofSeconds(1);

    /** Answers that are so far apart belong to two contacts. */
    static final Duration LONGEST_GAP = Terms.RESTORE.minus(LEADERS_APART);

    /** The contact to which an answer belongs that came so long after the last one of this contact, by ZooKeeper's times. */
    Contact with(long leaderMicros, long gapMicros) {
        boolean isUnbroken = gapMicros > -LEADERS_APART.toNanos() / 1_000 && gapMicros < LONGEST_GAP.toNanos() / 1_000;
        return isUnbroken ? this : new Contact(number + 1, leaderMicros);
    }

    /** The same contact, where another replica has been in contact since an earlier time. */
    Contact since(Instant earlier) {
        return new Contact(number, Math.min(sinceMicros, ChronoUnit.MICROS.between(Instant.EPOCH, earlier)));
    }

    /** Whether a node that was written at this time, and is there now, was written in the history of this contact. */
    public boolean hasSeen(Instant written) {
        return written.isAfter(since().minus(LONGEST_GAP));
    }

    /** Since when nothing was lost. */
    public Instant since() {
        return Instant.EPOCH.plus(sinceMicros, ChronoUnit.MICROS);
    }

    /**
     * The end of all that tenures of these terms may have reserved in a history that was lost before this contact. Whoever claims a slot
     * begins there or later: the record may know nothing of them, and they may serve on.
     */
    public Instant forgottenUntil(Terms terms) {
        return since().minus(Terms.RESTORE).plus(terms.lead());
    }
}
