package org.idallocator.service.decode;

import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.Scheme;

/** Reads an ID that a caller wrote: its canonical text or its hex, or another form where the caller names that. */
public final class IdParser {
    private IdParser() {}

    /**
     * The ID that a text says. A text as long as the canonical one is read as nothing else, because its case may matter.
     *
     * @param form the name of the form of the text; when empty, the text may be canonical or hex
     * @throws IllegalArgumentException saying what is wrong with the text, and where, and which form would read it; or naming the
     *     forms that the scheme has
     */
    public static <T extends Id> T parse(Scheme<T> scheme, String text, Optional<String> form) {
        return form.isPresent() ? Forms.named(scheme, form.get()).parse().apply(text) : canonicalOrHex(scheme, text);
    }

    private static <T extends Id> T canonicalOrHex(Scheme<T> scheme, String text) {
        try {
            return scheme.type().parse().apply(text);
        } catch (IdFormatException notCanonical) {
            if (text.length() == scheme.type().textLength()) {
                throw refusal(scheme, text, notCanonical);
            }
            return hex(scheme, text, notCanonical);
        }
    }

    private static <T extends Id> T hex(Scheme<T> scheme, String text, IdFormatException notCanonical) {
        try {
            return Forms.hex(scheme).parse().apply(text);
        } catch (IdFormatException notHex) {
            throw refusal(scheme, text, moreHelpful(scheme, notCanonical, notHex));
        }
    }

    /** The refusal that says where the text is wrong; both when neither does, because the length fits neither form. */
    private static IllegalArgumentException moreHelpful(
            Scheme<?> scheme, IdFormatException canonical, IdFormatException hex) {
        canonical.addSuppressed(hex);
        if (hex.position() >= 0) {
            return hex;
        }
        boolean oneLength = Forms.hex(scheme).longest() == scheme.type().textLength();
        return oneLength
                ? canonical
                : new IllegalArgumentException(canonical.getMessage() + "; " + hex.getMessage(), canonical);
    }

    /** The refusal of a text, with the form that would read the text, where there is one. */
    private static <T extends Id> IllegalArgumentException refusal(
            Scheme<T> scheme, String text, IllegalArgumentException why) {
        return Forms.all(scheme).stream()
                .filter(form -> Forms.parsed(form, text).isPresent())
                .findFirst()
                .map(form ->
                        new IllegalArgumentException(why.getMessage() + "; form=" + form.name() + " reads it", why))
                .orElse(why);
    }
}
