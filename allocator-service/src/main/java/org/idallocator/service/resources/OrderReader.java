package org.idallocator.service.resources;

import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Order;

/** Reads an order for a scheme from a query. */
final class OrderReader {
    private static final String COUNT = "count";

    private OrderReader() {}

    static Order read(Scheme<?> scheme, MultivaluedMap<String, String> values) {
        Query query = new Query(values, allowed(scheme));
        Variant variant =
                scheme.parameter().map(parameter -> variant(parameter, query)).orElse(scheme.defaultVariant());
        Optional<Integer> count = query.value(COUNT).map(text -> Query.read(() -> scheme.count(COUNT, text, variant)));
        return Order.of(scheme, count.orElse(1), count.isPresent(), variant);
    }

    private static List<String> allowed(Scheme<?> scheme) {
        return Stream.concat(Stream.of(COUNT), scheme.parameter().stream().map(Parameter::name))
                .toList();
    }

    private static Variant variant(Parameter parameter, Query query) {
        return query.value(parameter.name())
                .map(text -> Query.read(() -> parameter.parse().apply(text)))
                .orElse(parameter.defaultVariant());
    }
}
