package org.idallocator.zk.znode;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.BadValueException;
import org.idallocator.zk.settings.NodeName;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.Terms;
import org.jspecify.annotations.Nullable;

/**
 * What a payload may say. Nothing that a replica writes is outside of this, and much of what is would be taken for
 * something else: for a floor in the past where a sum overflows, or for a path. Each method throws
 * {@link BadValueException}, which makes the payload malformed.
 */
final class Bounds {
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    /**
     * How far ahead a payload may say that something is: as far as the longest window, and an hour beyond that. A floor
     * is further ahead than the window that it counts, by the skews and the slack of {@link Terms#ahead}. An hour is
     * far more than these are, so that a later version may allow larger ones without being taken for damage here.
     */
    private static final long LONGEST_MILLIS =
            Terms.WINDOW.most().plus(Duration.ofHours(1)).toMillis();

    /** The ticks of the widest time field that a scheme may have. */
    static final TickUnit WIDEST = new TickUnit(0, 1, 62);

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    private Bounds() {}

    /** A time from 1970 to the year 9999, which every replica writes: Jackson gives null where there is none. */
    static void time(String field, Instant time) {
        present(field, time);
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
            throw new BadValueException(field, "must be " + Instant.EPOCH + " to " + LATEST + ": " + time);
        }
    }

    /** A number from {@code least} to {@code most}, inclusive; null is allowed. */
    static void within(String field, @Nullable Long number, long least, long most) {
        if (number != null && (number < least || number > most)) {
            throw new BadValueException(field, "must be " + least + ".." + most + ": " + number);
        }
    }

    /** A length of time that is at most the longest window and an hour, and not negative; null is allowed. */
    static void ahead(String field, @Nullable Long millis) {
        within(field, millis, 0, LONGEST_MILLIS);
    }

    /** What every replica writes. */
    static void present(String field, @Nullable Object value) {
        if (value == null) {
            throw new BadValueException(field, "is missing");
        }
    }

    /** What people are shown: control characters would be commands to a terminal. Null is allowed. */
    static void shown(String field, @Nullable String text) {
        if (text != null) {
            Shown.require(!CONTROL.matcher(text).find(), field, "must have no control characters", text);
        }
    }

    /** The same of what every replica writes. */
    static void text(String field, @Nullable String text) {
        present(field, text);
        shown(field, text);
    }

    /** A name that a node can have, and that every replica writes. */
    static void name(String field, String name) {
        present(field, name);
        Shown.require(NodeName.isAllowed(name), field, "must be a name of 1..100 letters, digits and ._-", name);
    }
}
