package org.idallocator.service.cli.terminal;

import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Values of options, as a person writes them. */
public final class Texts {
    private Texts() {}

    /** A point in time; throws {@link CommandException} saying how one is written. */
    public static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new CommandException("an instant must be as in 2026-01-31T12:00:00Z: " + text, e);
        }
    }
}
