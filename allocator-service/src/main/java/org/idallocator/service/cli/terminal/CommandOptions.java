package org.idallocator.service.cli.terminal;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sourceforge.argparse4j.inf.Namespace;

/** What a person gave one call of a command. */
public record CommandOptions(Namespace namespace) {

    /** What was given as an option or argument; empty when nothing was. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(namespace.getString(name));
    }

    /** The same, read as a value; throws {@link CommandException} when {@code reader} refuses it. */
    public <T> Optional<T> value(String name, Function<String, T> reader) {
        return text(name).map(text -> read(() -> reader.apply(text)));
    }

    /** Whether a flag was given. */
    public boolean flag(String name) {
        return namespace.getBoolean(name);
    }

    /** Runs what reads a person's text: its refusal is that person's mistake, and is told in one line. */
    public static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
