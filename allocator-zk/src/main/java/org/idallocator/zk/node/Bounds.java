package org.idallocator.zk.node;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a payload may say. Nothing that a replica writes is outside of this, and much of what is would be taken for something else:
 * for a floor in the past where a sum overflows, or for a path. Each method throws {@link IllegalArgumentException}, which makes
 * the payload malformed.
 */
final class Bounds {
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final long LONGEST_MILLIS = 24L * 3_600 * 1_000;
    private static final long LAST_TICK = (1L << 62) - 1;
    private static final Pattern NAME = Pattern.compile("(?!\\.\\.?$)[A-Za-z0-9._-]{1,100}");

    private Bounds() {}

    /** A time from 1970 to the year 9999. */
    static void time(String field, Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
            throw new IllegalArgumentException(field + " must be " + Instant.EPOCH + " to " + LATEST + ": " + time);
        }
    }

    /** A time that is at most a day, and none in the past; null is allowed. */
    static void ahead(String field, @Nullable Long millis) {
        if (millis != null && (millis < 0 || millis > LONGEST_MILLIS)) {
            throw new IllegalArgumentException(field + " must be 0.." + LONGEST_MILLIS + ": " + millis);
        }
    }

    /** A tick of the widest time field there is, or {@code least}. */
    static void tick(String field, long tick, long least) {
        if (tick < least || tick > LAST_TICK) {
            throw new IllegalArgumentException(field + " must be " + least + ".." + LAST_TICK + ": " + tick);
        }
    }

    /** A name that a node can have. */
    static void name(String field, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(field + " must be a name of 1..100 letters, digits and ._-");
        }
    }
}
