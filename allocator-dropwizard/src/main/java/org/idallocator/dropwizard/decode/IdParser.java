package org.idallocator.dropwizard.decode;

import java.util.Optional;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;

/** Reads an ID that a caller wrote: as canonical text or hex, or in another form where the caller names one. */
public final class IdParser {
    private IdParser() {}

    /**
     * The ID that a text says. A text that is as long as canonical text is read as nothing else, because its case may
     * matter.
     *
     * @param form the name of the text's form; when empty, the text may be canonical or hex
     * @throws IdFormatException saying what is wrong with the text, and where
     * @throws UnreadableIdException saying the same, and which form would read the text
     * @throws BadValueException for an unknown form, naming the forms that the scheme has
     */
    public static <T extends Id> T parse(Scheme<T> scheme, String text, Optional<String> form) {
        return form.isPresent() ? Forms.named(scheme, form.get()).parse().apply(text) : canonicalOrHex(scheme, text);
    }

    private static <T extends Id> T canonicalOrHex(Scheme<T> scheme, String text) {
        int canonical = scheme.type().textLength();
        Form<T> hex = scheme.type().hex();
        try {
            return (text.length() == canonical ? scheme.type().parse() : hex.parse()).apply(text);
        } catch (IdFormatException e) {
            String length = scheme.name() + " must be " + canonical + " characters: " + text.length();
            String both = hex.longest() == canonical ? length : length + "; " + e.getMessage();
            boolean saysWhere = text.length() == canonical || e.position() >= 0;
            throw refusal(scheme, text, saysWhere ? e : new UnreadableIdException(both, e));
        }
    }

    /** The exception for a text, which also names a form that would read the text, if there is one. */
    private static <T extends Id> IllegalArgumentException refusal(
            Scheme<T> scheme, String text, IllegalArgumentException why) {
        return Forms.all(scheme).stream()
                .filter(form -> Forms.parsed(form, text).isPresent())
                .findFirst()
                .<IllegalArgumentException>map(form -> new UnreadableIdException(
                        why.getMessage() + "; " + Forms.PARAMETER + "=" + form.name() + " reads it", why))
                .orElse(why);
    }
}
