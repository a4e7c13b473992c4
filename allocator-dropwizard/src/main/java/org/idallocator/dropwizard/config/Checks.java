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

/** How sections check their values, and tell which are bad. A bad value is a {@link BadValueException} with its key. */
public final class Checks {
    private Checks() {}

    /** The entries of a list, in lower case; each must match. */
    static List<String> entries(String key, List<String> entries, Pattern allowed, String must) {
        for (int i = 0; i < entries.size(); i++) {
            String text = entries.get(i);
            Shown.require(allowed.matcher(text).matches(), key + "[" + i + "]", "must be " + must, text);
        }
        return entries.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    }

    /** The path that a text says, absolute or not. */
    static Path path(String key, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            String rule = "must be a path that this machine can have (" + e.getReason() + "): ";
            throw new BadValueException(key, rule + Shown.of(text), e);
        }
    }

    /** A value of a section; the keys of bad values are those of the section. */
    public static <T> T in(String section, Supplier<T> value) {
        try {
            return value.get();
        } catch (BadValueException e) {
            throw e.in(section);
        }
    }

    /**
     * Makes a violation of a value that is bad. Whatever else is thrown is a mistake of the program, and passes. The
     * rule is a parameter of the sentence, because braces in a template have a meaning.
     */
    public static void report(Supplier<?> value, ViolationCollector violations) {
        try {
            Object unused = value.get();
        } catch (BadValueException e) {
            violations.addViolation(e.key(), "{rule}", Map.of("rule", e.rule()));
        }
    }
}
