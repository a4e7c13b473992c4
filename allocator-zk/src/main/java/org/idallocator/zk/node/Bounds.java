package org.idallocator.zk.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.regex.Pattern;
import org.idallocator.zk.settings.Shown;
import org.jspecify.annotations.Nullable;

/**
 * What a payload may say. Nothing that a replica writes is outside of this, and much of what is would be taken for something else:
 * for a floor in the past where a sum overflows, or for a path. Each method throws {@link IllegalArgumentException}, which makes
 * the payload malformed.
 */
final class Bounds {
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final long LONGEST_MILLIS = 24L * 3_600 * 1_000;
    private static final long FARTHEST_MILLIS = 10_000L * 365 * LONGEST_MILLIS;
    private static final long MOST_SLOTS = 1L << 48;

    /** Of the widest time field that a scheme may have. */
    static final long LAST_TICK = (1L << 62) - 1;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");
    private static final Pattern NAME = Pattern.compile("(?!\\.\\.?$)[A-Za-z0-9._-]{1,100}");

    private Bounds() {}

    /** A time from 1970 to the year 9999, which every replica writes. */
    static void time(String field, @Nullable Instant time) {
        if (time == null) {
            throw new IllegalArgumentException(field + " is missing");
        }
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

    /** A tick from {@code least} to {@code most}, inclusive. */
    static void ticks(String field, long tick, long least, long most) {
        if (tick < least || tick > most) {
            throw new IllegalArgumentException(field + " must be " + least + ".." + most + ": " + tick);
        }
    }

    /** How far a clock is ahead, or behind: a hundred centuries at most. */
    static void offset(String field, @Nullable Long millis) {
        if (millis != null && (millis < -FARTHEST_MILLIS || millis > FARTHEST_MILLIS)) {
            throw new IllegalArgumentException(
                    field + " must be " + -FARTHEST_MILLIS + ".." + FARTHEST_MILLIS + ": " + millis);
        }
    }

    /** How many slots a pool has; what is missing, or no number, is a layout of another shape, and agrees with none. */
    static void slots(JsonNode layout) {
        JsonNode slots = layout.path("slots");
        if (slots.isNumber()
                && !(slots.isIntegralNumber()
                        && slots.canConvertToLong()
                        && slots.longValue() >= 1
                        && slots.longValue() <= MOST_SLOTS)) {
            throw new IllegalArgumentException("layout.slots must be 1.." + MOST_SLOTS + ": " + Shown.of(slots));
        }
    }

    /** What every replica writes. */
    static void present(String field, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(field + " is missing");
        }
    }

    /** What people are shown: control characters would be commands to a terminal. */
    static void shown(String field, @Nullable String text) {
        if (text != null && CONTROL.matcher(text).find()) {
            throw new IllegalArgumentException(field + " must have no control characters: " + Shown.of(text));
        }
    }

    /** A name that a node can have. */
    static void name(String field, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    field + " must be a name of 1..100 letters, digits and ._-: " + Shown.of(name));
        }
    }
}
