package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Allowed;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Order;
import org.idallocator.service.text.Forms;

/** What a request for IDs of one scheme may ask for: a count, the scheme's own parameter, and a form. */
final class Inputs<T extends Id> {
    private static final String COUNT = "count";
    private static final String FORM = "form";

    private final Scheme<T> scheme;
    private final Counts counts;

    Inputs(Scheme<T> scheme, Counts counts) {
        this.scheme = scheme;
        this.counts = counts;
    }

    /** The parameters of the query. */
    List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(query(COUNT, count(), countInWords()));
        scheme.parameter()
                .map(own -> query(own.name(), ownSchema(own), "Allowed: " + own.allowed())
                        .example(Schemas.value(own.values(), example(own.values()))))
                .ifPresent(parameters::add);
        JsonSchema form = forms();
        form.setDefault(Forms.CANONICAL);
        parameters.add(query(FORM, form, "The text form of the IDs"));
        return parameters;
    }

    /** The parameter that names the form of a text to be read. */
    Parameter formOfText() {
        return query(FORM, forms(), "The form of the text; without it, the text is canonical or hex");
    }

    private static Parameter query(String name, JsonSchema schema, String description) {
        return new QueryParameter()
                .name(name)
                .required(false)
                .description(description)
                .schema(schema);
    }

    /** The same parameters as properties. */
    Map<String, JsonSchema> schemas() {
        Map<String, JsonSchema> schemas = new LinkedHashMap<>();
        schemas.put(COUNT, count());
        scheme.parameter().ifPresent(own -> schemas.put(own.name(), ownSchema(own)));
        schemas.put(FORM, forms());
        return schemas;
    }

    /** Of counts that some variant allows. */
    JsonSchema count() {
        return Schemas.range(1, mostOfAll());
    }

    private int mostOfAll() {
        return variants().values().stream().mapToInt(this::most).max().orElseThrow();
    }

    private int most(Variant variant) {
        return counts.largest(scheme, variant);
    }

    private String countInWords() {
        String fewer = variants().entrySet().stream()
                .filter(variant -> most(variant.getValue()) < mostOfAll())
                .map(variant -> "; with " + variant.getKey() + " at most " + most(variant.getValue()))
                .collect(Collectors.joining());
        return "How many; without it, one, which is no list" + fewer;
    }

    /** What may be asked for, by how that is written in a query. The values of a range count as alike. */
    private Map<String, Variant> variants() {
        Map<String, Variant> variants = new LinkedHashMap<>();
        variants.put("nothing", scheme.defaultVariant());
        scheme.parameter()
                .ifPresent(own -> values(own.values())
                        .forEach(value -> variants.put(
                                own.name() + "=" + value, own.parse().apply(value))));
        return variants;
    }

    private static Stream<String> values(Allowed values) {
        return values instanceof Allowed.OneOf words ? words.values().stream() : Stream.of(example(values));
    }

    /** The variant whose IDs belong together, where there is one. */
    Optional<Variant> grouped() {
        return variants().values().stream().filter(scheme::grouped).findFirst();
    }

    /** The scheme's own parameter with a value, in a format of both; nothing where there is none. */
    String own(String format) {
        return scheme.parameter()
                .map(own -> format.formatted(own.name(), example(own.values())))
                .orElse("");
    }

    private static String example(Allowed values) {
        return values instanceof Allowed.Range range
                ? Integer.toString(range.most())
                : ((Allowed.OneOf) values).values().get(0);
    }

    /** The default is told where it is one of some words. */
    private static JsonSchema ownSchema(org.idallocator.core.scheme.Parameter own) {
        JsonSchema schema = Schemas.of(own.values());
        if (own.values() instanceof Allowed.OneOf words) {
            words.values().stream()
                    .filter(word -> own.parse().apply(word).equals(own.defaultVariant()))
                    .findFirst()
                    .ifPresent(word -> schema.setDefault(Schemas.value(own.values(), word)));
        }
        return schema;
    }

    private JsonSchema forms() {
        return Schemas.oneOf(Forms.names(List.of(scheme)));
    }

    /** Whether a form writes IDs of different lengths, so that the length of an answer is not known before it is drawn. */
    boolean hasUnknownLength() {
        return Forms.all(scheme).stream().anyMatch(form -> !form.fixed());
    }

    /** Whether such an answer may be so long that it is streamed. */
    boolean streamsUnknownLength() {
        return hasUnknownLength() && mostOfAll() > Order.LARGEST_COLLECTED;
    }
}
