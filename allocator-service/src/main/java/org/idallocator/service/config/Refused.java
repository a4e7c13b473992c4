package org.idallocator.service.config;

import io.dropwizard.validation.selfvalidating.ViolationCollector;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.commons.lang3.Validate;
import org.idallocator.zk.settings.Shown;

/** What values throw that cannot be used: {@link IllegalArgumentException} whose message begins with the key. */
final class Refused {
    private Refused() {}

    /** The entries of a list, in lower case; each must match. */
    static List<String> entries(String key, List<String> entries, Pattern allowed, String must) {
        for (int i = 0; i < entries.size(); i++) {
            String text = entries.get(i);
            Validate.isTrue(
                    allowed.matcher(text).matches(), key + "[" + i + "] must be " + must + ": " + Shown.of(text));
        }
        return entries.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    }

    /** The path that a text says, absolute or not. */
    static Path path(String key, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    key + " must be a path that this machine can have (" + e.getReason() + "): " + Shown.of(text), e);
        }
    }

    /** A value of a section; the keys that are refused are those of the section. */
    static <T> T below(String section, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(section + "." + e.getMessage(), e);
        }
    }

    /** Makes a violation of what a value throws. The sentence is a parameter, because braces in a template have a meaning. */
    static void tell(Supplier<?> value, ViolationCollector violations) {
        try {
            Object unused = value.get();
        } catch (IllegalArgumentException e) {
            String[] sentence = String.valueOf(e.getMessage()).split(" ", 2);
            violations.addViolation(sentence[0], "{what}", Map.of("what", sentence[1]));
        }
    }
}
