package org.idallocator.service.cli.leases;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How long something has lasted or will last, in few letters: {@code 9.8 s}, {@code 95 s}, {@code 12 min}, {@code 5 h}, {@code 3 d}. */
final class Ages {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Ages() {}

    /** Nothing for null. A unit is used from two of it on, and seconds have tenths below ten. */
    static String of(@Nullable Long millis) {
        if (millis == null) {
            return "";
        }
        if (millis < 10 * SECOND) {
            return millis / SECOND + "." + millis % SECOND / 100 + " s";
        }
        if (millis < 2 * MINUTE) {
            return millis / SECOND + " s";
        }
        if (millis < 2 * HOUR) {
            return millis / MINUTE + " min";
        }
        return millis < 2 * DAY ? millis / HOUR + " h" : millis / DAY + " d";
    }

    /** How long ago; nothing for null, and 0 for what is ahead, as by a clock that was. */
    static String since(@Nullable Instant instant, Instant now) {
        return instant == null
                ? ""
                : of(Math.max(0, Duration.between(instant, now).toMillis()));
    }
}
