package org.idallocator.service.text;

import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.Scheme;

/** Reads an ID that a caller wrote: its canonical text or its hex, or another form where the caller names that. */
public final class IdParser {
    private IdParser() {}

    /**
     * The ID that a text says.
     *
     * @param form the name of the form to read; canonical text and hex are read when empty
     * @throws IllegalArgumentException saying what is wrong with the text, and where; or naming the forms that there are
     */
    public static <T extends Id> T parse(Scheme<T> scheme, String text, Optional<String> form) {
        return form.isPresent() ? Forms.named(scheme, form.get()).parse().apply(text) : canonicalOrHex(scheme, text);
    }

    private static <T extends Id> T canonicalOrHex(Scheme<T> scheme, String text) {
        try {
            return scheme.type().parse().apply(text);
        } catch (IdFormatException notCanonical) {
            return hex(scheme, text, notCanonical);
        }
    }

    private static <T extends Id> T hex(Scheme<T> scheme, String text, IdFormatException notCanonical) {
        try {
            return scheme.type().parseHex().apply(text);
        } catch (IdFormatException notHex) {
            throw moreHelpful(notCanonical, notHex);
        }
    }

    /** The one that says where; both when neither does, which is when the length fits neither. */
    private static IllegalArgumentException moreHelpful(IdFormatException canonical, IdFormatException hex) {
        canonical.addSuppressed(hex);
        if (canonical.position() >= 0 || Objects.equals(canonical.getMessage(), hex.getMessage())) {
            return canonical;
        }
        String both = canonical.getMessage() + "; " + hex.getMessage();
        return hex.position() >= 0 ? hex : new IllegalArgumentException(both, canonical);
    }
}
