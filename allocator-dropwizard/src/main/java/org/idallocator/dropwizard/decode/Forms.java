package org.idallocator.dropwizard.decode;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;

/** The text forms in which IDs are read and written. */
public final class Forms {
    /** The name of the query parameter, and of the option, that names a form. */
    public static final String PARAMETER = "form";

    private Forms() {}

    /** All forms in which a scheme's IDs are read and written, the canonical one first. */
    public static <T extends Id> List<Form<T>> all(Scheme<T> scheme) {
        return scheme.type().forms();
    }

    /**
     * The form of that name.
     *
     * @throws BadValueException naming the forms that the scheme has
     */
    public static <T extends Id> Form<T> named(Scheme<T> scheme, String name) {
        return all(scheme).stream()
                .filter(form -> form.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name, List.of(scheme)));
    }

    /** The exception for a name that is no form of these schemes. */
    public static BadValueException unknown(String name, List<Scheme<?>> schemes) {
        return new BadValueException(
                PARAMETER, "must be one of " + String.join(", ", names(schemes)) + ": " + Quoted.of(name));
    }

    /** The ID that a text says in this form; empty where the text says none. */
    static <T extends Id> Optional<T> parsed(Form<T> form, String text) {
        try {
            return Optional.of(form.parse().apply(text));
        } catch (IdFormatException e) {
            return Optional.empty(); // no failure, because another form may read the text
        }
    }

    /** The names of all forms that these schemes have, each name once. */
    public static List<String> names(List<Scheme<?>> schemes) {
        return schemes.stream()
                .flatMap(scheme -> all(scheme).stream())
                .map(Form::name)
                .distinct()
                .toList();
    }
}
