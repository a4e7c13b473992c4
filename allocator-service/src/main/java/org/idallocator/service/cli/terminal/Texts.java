package org.idallocator.service.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.idallocator.core.clock.Clock;

/** Values of options, as a person writes them, and the time that they are measured by. */
public final class Texts {
    private static final Duration FARTHEST = Duration.ofDays(1);

    private Texts() {}

    /** The time by a clock. */
    public static Instant now(Clock clock) {
        return Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    }

    /**
     * A time until which something serves nothing, and which nobody can take back: at most a day ahead, so that a slip of the pen
     * does no more harm than that.
     *
     * @param option the name of the option, with its dashes
     * @param remark is said behind a refused text; may be empty
     * @throws UsageException for another text, saying what is allowed
     */
    public static Instant waitingUntil(String option, String text, String remark, Clock clock) {
        Instant until = instant(text);
        if (until.isAfter(now(clock).plus(FARTHEST))) {
            throw new UsageException(option + " must be at most a day ahead: " + text + remark);
        }
        return until;
    }

    /** A point in time; throws {@link UsageException} saying how one is written. */
    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageException("an instant must be as in 2026-01-31T12:00:00Z: " + text, e);
        }
    }
}
