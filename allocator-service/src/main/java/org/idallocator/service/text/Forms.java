package org.idallocator.service.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;

/** The text forms that IDs are read from and written in. */
public final class Forms {
    public static final String CANONICAL = "canonical";

    private static final String HEX = "hex";

    private Forms() {}

    /** All that a scheme's IDs are read from: the canonical one first, then hex. */
    public static <T extends Id> List<Form<T>> readable(Scheme<T> scheme) {
        Form<T> canonical = new Form<>(CANONICAL, Id::toString, scheme.type().parse());
        Form<T> hex = new Form<>(HEX, scheme.type().toHex(), scheme.type().parseHex());
        Stream<Form<T>> others =
                scheme.forms().stream().filter(form -> !form.name().equals(HEX));
        return Stream.concat(Stream.of(canonical, hex), others).toList();
    }

    /** One of a scheme's other forms; throws {@link IllegalArgumentException} naming those that there are. */
    public static <T extends Id> Form<T> named(Scheme<T> scheme, String name) {
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

    /** The names of the forms that at least one of some schemes is read from. */
    public static List<String> names(List<Scheme<?>> schemes) {
        return schemes.stream()
                .flatMap(scheme -> readable(scheme).stream())
                .map(Form::name)
                .distinct()
                .toList();
    }

    /** In words, which schemes are written in which other form. */
    public static String offered() {
        Map<String, StringJoiner> schemes = new LinkedHashMap<>();
        for (Scheme<?> scheme : Schemes.all()) {
            scheme.forms()
                    .forEach(form -> schemes.computeIfAbsent(form.name(), name -> new StringJoiner(", "))
                            .add(scheme.name()));
        }
        return schemes.entrySet().stream()
                .map(form -> form.getKey() + " (" + form.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
