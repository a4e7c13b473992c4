package org.idallocator.service.resources;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.ids.IdRequest;
import org.idallocator.service.ids.MaxCounts;
import org.idallocator.service.text.Forms;

/** The parameters of one request. Each one is known, has a value and is given at most once; else the request is a bad one. */
final class Query {
    private static final String COUNT = "count";
    private static final String FORM = "form";

    private final Map<String, List<String>> values;

    /** Throws {@link BadRequestException} for a parameter that is not among those {@code allowed}. */
    private Query(Map<String, List<String>> values, List<String> allowed) {
        this.values = values;
        for (String name : values.keySet()) {
            if (!allowed.contains(name)) {
                throw new BadRequestException("unknown parameter " + name + "; allowed here: "
                        + (allowed.isEmpty() ? "none" : String.join(", ", allowed)));
            }
        }
    }

    /** Throws {@link BadRequestException} for any parameter. */
    static void none(UriInfo uri) {
        var unused = new Query(uri.getQueryParameters(), List.of());
    }

    /** What the parameters of a request for IDs ask for; throws {@link BadRequestException} naming the first one that is bad. */
    static <T extends Id> IdRequest<T> request(
            Scheme<T> scheme, Map<String, List<String>> values, MaxCounts maxCounts) {
        List<String> allowed = new ArrayList<>(List.of(COUNT, FORM));
        scheme.parameter().ifPresent(own -> allowed.add(1, own.name()));
        Query query = new Query(values, allowed);
        return read(() -> {
            var variant = scheme.parameter()
                    .flatMap(own -> query.value(own.name()).map(own.parse()))
                    .orElse(scheme.defaultVariant());
            Optional<Integer> count = query.value(COUNT).map(text -> maxCounts.count(scheme, text, variant));
            Form<T> form = Forms.named(scheme, query.value(FORM).orElse(Form.CANONICAL));
            return new IdRequest<>(scheme, count.orElse(1), count.isPresent(), variant, form);
        });
    }

    /** The form that the only parameter names, where there is one; throws {@link BadRequestException} for any other parameter. */
    static Optional<String> form(UriInfo uri) {
        return new Query(uri.getQueryParameters(), List.of(FORM)).value(FORM);
    }

    /** The value of a parameter; throws {@link BadRequestException} when it is empty, or given twice. */
    private Optional<String> value(String name) {
        List<String> given = values.getOrDefault(name, List.of());
        if (given.size() > 1) {
            throw new BadRequestException(name + " must be given once: " + String.join(", ", given));
        }
        if (given.contains("")) {
            throw new BadRequestException(name + " must have a value: it is empty");
        }
        return given.stream().findFirst();
    }

    /** Runs what reads a client's text. Its {@link IllegalArgumentException} is the client's mistake: a bad request. */
    static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(e.getMessage(), e);
        }
    }
}
