package org.idallocator.dropwizard.config;

import io.dropwizard.validation.selfvalidating.ViolationCollector;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.idallocator.core.id.BadValueException;
import org.idallocator.zk.settings.Shown;

/** Checks of the values in sections. A bad value is a {@link BadValueException} with its key. */
public final class Checks {
    private Checks() {}

    /**
     * The entries of a list in lower case.
     *
     * @throws BadValueException when an entry does not match {@code allowed}; {@code must} says what an entry has to be
     */
    static List<String> entries(String key, List<String> entries, Pattern allowed, String must) {
        for (int i = 0; i < entries.size(); i++) {
            String text = entries.get(i);
            Shown.require(allowed.matcher(text).matches(), key + "[" + i + "]", "must be " + must, text);
        }
        return entries.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    }

    /**
     * A text as a path, absolute or relative.
     *
     * @throws BadValueException when the text is no path
     */
    static Path path(String key, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            String rule = "must be a path that this machine can have (" + e.getReason() + "): ";
            throw new BadValueException(key, rule + Shown.of(text), e);
        }
    }

    /** Gets a value of a section. Puts the section's name before the key of a {@link BadValueException}. */
    public static <T> T in(String section, Supplier<T> value) {
        try {
            return value.get();
        } catch (BadValueException e) {
            throw e.in(section);
        }
    }

    /**
     * Gets a value, and reports a violation if it is bad. Every exception but {@link BadValueException} is a mistake of
     * the program and is thrown on. The rule is a parameter of the message, because braces in a message template have a
     * meaning.
     */
    public static void report(Supplier<?> value, ViolationCollector violations) {
        try {
            Object unused = value.get();
        } catch (BadValueException e) {
            violations.addViolation(e.key(), "{rule}", Map.of("rule", e.rule()));
        }
    }
}
