package org.idallocator.service.cli.inspect;

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
public final class TextForms {
    public static final String CANONICAL = "canonical";

    private static final String HEX = "hex";

    private TextForms() {}

    /** All that a scheme's IDs are read from: the canonical one first, then hex. */
    public static <T extends Id> List<Form<T>> readable(Scheme<T> scheme) {
        Form<T> canonical = new Form<>(CANONICAL, Id::toString, scheme.type().parse());
        Form<T> hex = new Form<>(HEX, scheme.type().toHex(), scheme.type().parseHex());
        Stream<Form<T>> others =
                scheme.forms().stream().filter(form -> !form.name().equals(HEX));
        return Stream.concat(Stream.of(canonical, hex), others).toList();
    }

    /** The names of the forms that some scheme is read from. */
    public static List<String> readable() {
        return Schemes.all().stream()
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
