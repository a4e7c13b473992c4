package org.idallocator.service.cli.terminal;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sourceforge.argparse4j.inf.Namespace;

/** The options and arguments of one call of a command. */
public record CommandOptions(Namespace namespace) {

    /** The text of an option or argument; empty when it was not given. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(namespace.getString(name));
    }

    /** The same, read as a value; throws {@link UsageException} when {@code reader} refuses the text. */
    public <T> Optional<T> value(String name, Function<String, T> reader) {
        return text(name).map(text -> read(() -> reader.apply(text)));
    }

    /** Whether an option was given, be it a flag or one with a value. */
    public boolean given(String name) {
        Object value = namespace.get(name);
        return value != null && !value.equals(false);
    }

    /** Whether a flag was given. */
    public boolean flag(String name) {
        return namespace.getBoolean(name);
    }

    /** Runs what reads a text that a person gave. Its {@link IllegalArgumentException} is that person's mistake. */
    public static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
