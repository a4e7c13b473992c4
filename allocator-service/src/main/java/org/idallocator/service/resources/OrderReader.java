package org.idallocator.service.resources;

import jakarta.ws.rs.BadRequestException;
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
                scheme.parameter().map(parameter -> variant(parameter, query)).orElse(Variant.NONE);
        int largest = scheme.largestCount(variant);
        Optional<String> count = query.value(COUNT);
        return Order.of(scheme, count.map(text -> count(text, largest)).orElse(1), count.isPresent(), variant);
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

    private static int count(String text, int largest) {
        int count = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (count < 1 || count > largest) {
            throw new BadRequestException("count must be 1.." + largest + ": " + text);
        }
        return count;
    }
}
