package org.idallocator.service.resources;

import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Order;

/** Reads what is asked of a scheme from parameters; throws {@link jakarta.ws.rs.BadRequestException} for bad ones. */
final class OrderReader {
    private static final String COUNT = "count";
    private static final String FORM = "form";

    private final Counts counts;

    OrderReader(Counts counts) {
        this.counts = counts;
    }

    <T extends Id> Plan<T> read(Scheme<T> scheme, MultivaluedMap<String, String> values) {
        Query query = new Query(values, allowed(scheme));
        Variant variant =
                scheme.parameter().map(parameter -> variant(parameter, query)).orElse(scheme.defaultVariant());
        Optional<Integer> count = query.value(COUNT).map(text -> Query.read(() -> counts.count(scheme, text, variant)));
        String form = query.value(FORM).orElse(Form.CANONICAL);
        Order order = Order.of(scheme, count.orElse(1), count.isPresent(), variant);
        return new Plan<>(scheme, order, Query.read(() -> Forms.named(scheme, form)));
    }

    private static List<String> allowed(Scheme<?> scheme) {
        Stream<String> own = scheme.parameter().stream().map(Parameter::name);
        return Stream.of(Stream.of(COUNT), own, Stream.of(FORM))
                .flatMap(names -> names)
                .toList();
    }

    private static Variant variant(Parameter parameter, Query query) {
        return query.value(parameter.name())
                .map(text -> Query.read(() -> parameter.parse().apply(text)))
                .orElse(parameter.defaultVariant());
    }
}
