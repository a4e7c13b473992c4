package org.idallocator.zk.znode;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.settings.Terms;
import org.jspecify.annotations.Nullable;

/**
 * Tells the floor of an incarnation, or of a pool's generation, from the time at which its node was written.
 * ZooKeeper's leader stamps that transaction, which ends the old incarnation or comes after its end. So the leader's
 * time is always late enough, however long whoever begins was paused before.
 *
 * <p>A time that was read earlier would not do:
 *
 * <ol>
 *   <li>A reads the time, 12:00:00, and is paused.
 *   <li>B begins, serves, and reserves up to 12:05:10.
 *   <li>Everything is wiped.
 *   <li>A goes on, and begins with a floor of 12:00:16.
 *   <li>The next tenure issues what B's tenure has issued, or still issues.
 * </ol>
 */
public final class Floors {
    private Floors() {}

    /**
     * The floor, inclusive.
     *
     * @param least the earliest that the floor can be
     * @param aheadMillis how far the floor is ahead of {@code leaderMillis}; null when {@code least} alone counts
     * @param leaderMillis when the node was written, by the leader's clock
     */
    public static Instant of(Instant least, @Nullable Long aheadMillis, long leaderMillis) {
        return aheadMillis == null ? least : later(Instant.ofEpochMilli(leaderMillis + aheadMillis), least);
    }

    /**
     * The earliest that the floor of what begins can be, inclusive.
     *
     * @param known until when ticks are known to be reserved
     * @param now the time that was asked for to begin
     * @param ahead how far ahead of that time others may have reserved
     */
    public static Instant least(Instant known, Instant now, Duration ahead) {
        return later(known, now.plus(ahead));
    }

    /** A floor as text; empty for what is none, or none that anybody writes. */
    public static Optional<Instant> parse(String text) {
        try {
            Instant floor = Instant.parse(text);
            Bounds.time("floor", floor);
            return Optional.of(floor);
        } catch (DateTimeParseException | IllegalArgumentException e) {
            return Optional.empty(); // an answer, not a failure
        }
    }

    /**
     * Whether a floor is further ahead of its node's time than any terms explain. Such a floor tells what somebody had
     * reserved while a clock was far ahead together with ZooKeeper's.
     */
    public static boolean isFar(Instant floor, long leaderMillis) {
        return floor.isAfter(Instant.ofEpochMilli(leaderMillis).plus(Terms.farthest()));
    }

    /** The first tick that starts at a floor or after it. */
    public static long firstTick(TickUnit unit, Instant floor) {
        return Math.max(0, unit.firstTickFrom(microsUp(floor)));
    }

    /** The microsecond that starts at a time or after it. */
    public static long microsUp(Instant time) {
        return time.getEpochSecond() * 1_000_000 + (time.getNano() + 999) / 1_000;
    }

    public static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
