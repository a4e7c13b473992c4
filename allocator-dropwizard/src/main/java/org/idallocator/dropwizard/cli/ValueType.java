package org.idallocator.dropwizard.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.ArgumentType;
import org.idallocator.core.id.BadValueException;

/** Reads the value of an option of the command line. */
public final class ValueType<T> implements ArgumentType<T> {
    private static final Duration FARTHEST = Duration.ofDays(1);

    private final String allowed;
    private final Function<String, T> reader;

    /** {@code allowed} is the message for a value that cannot be read. */
    private ValueType(String allowed, Function<String, T> reader) {
        this.allowed = allowed;
        this.reader = reader;
    }

    /** A duration, written as in configuration files. */
    public static ValueType<Duration> duration() {
        return new ValueType<>(
                "must be a number and a unit, such as 10s or 500ms",
                text -> io.dropwizard.util.Duration.parse(text).toJavaDuration());
    }

    /**
     * A time until which something serves nothing. Nobody can take it back, so it may be a day ahead at most, which
     * bounds the harm of a typing error.
     */
    public static ValueType<Instant> time() {
        return new ValueType<>(
                "must be as 2026-01-31T12:00:00Z, and at most a day ahead",
                text -> Optional.of(Instant.parse(text))
                        .filter(time -> !time.isAfter(AllocatorCommand.now().plus(FARTHEST)))
                        .orElseThrow(() -> new BadValueException("time", "must be at most a day ahead: " + text)));
    }

    @Override
    public T convert(ArgumentParser parser, Argument argument, String text) throws ArgumentParserException {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new ArgumentParserException(allowed + ": " + text, e, parser, argument);
        }
    }
}
