package org.idallocator.service.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;

/** Reads an ID that a caller wrote: the canonical text or hex, or one other form where that is named. */
public final class IdReader {
    private IdReader() {}

    /** Throws {@link IllegalArgumentException} saying what is wrong, and where. */
    public static <T extends Id> T read(Scheme<T> scheme, String text, Optional<String> form) {
        Function<String, T> parse =
                form.map(name -> form(scheme, name).parse()).orElse(any -> canonicalOrHex(scheme, any));
        return parse.apply(text);
    }

    /** One of a scheme's other forms; throws {@link IllegalArgumentException} naming those that there are. */
    public static <T extends Id> Form<T> form(Scheme<T> scheme, String name) {
        return scheme.forms().stream()
                .filter(form -> form.name().equals(name))
                .findFirst()
                .orElseThrow(() -> noSuchForm(scheme, name));
    }

    private static <T extends Id> IllegalArgumentException noSuchForm(Scheme<T> scheme, String name) {
        List<String> names = scheme.forms().stream().map(Form::name).toList();
        return new IllegalArgumentException(
                names.isEmpty()
                        ? scheme.name() + " has no other form, so form must be left out: " + name
                        : "form must be one of " + String.join(", ", names) + ": " + name);
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
        String both = canonical.getMessage() + "; " + hex.getMessage();
        if (canonical.position() >= 0 || Objects.equals(canonical.getMessage(), hex.getMessage())) {
            return canonical;
        }
        return hex.position() >= 0 ? hex : new IllegalArgumentException(both, canonical);
    }
}
