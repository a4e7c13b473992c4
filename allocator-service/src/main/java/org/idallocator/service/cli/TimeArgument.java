package org.idallocator.service.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.ArgumentType;

/**
 * A time until which something serves nothing, and which nobody can take back: at most a day ahead, so that a slip of the pen does no
 * more harm than that.
 *
 * @param remark is said behind a time that is too far ahead; may be empty
 */
public record TimeArgument(String remark) implements ArgumentType<Instant> {
    private static final Duration FARTHEST = Duration.ofDays(1);

    @Override
    public Instant convert(ArgumentParser parser, Argument argument, String text) throws ArgumentParserException {
        try {
            Instant time = Instant.parse(text);
            if (time.isAfter(AllocatorCommand.now().plus(FARTHEST))) {
                throw new ArgumentParserException("must be at most a day ahead: " + text + remark, parser, argument);
            }
            return time;
        } catch (DateTimeParseException e) {
            throw new ArgumentParserException("must be as 2026-01-31T12:00:00Z: " + text, e, parser, argument);
        }
    }
}
