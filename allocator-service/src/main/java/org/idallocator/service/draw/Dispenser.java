package org.idallocator.service.draw;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.UnknownSchemeException;

/** Answers orders for IDs, from the generators of all schemes that are served. Thread-safe. */
public final class Dispenser {
    private final List<Scheme<?>> schemes;
    private final Map<String, Served> byScheme;

    /** {@code listeners} gives a scheme's listener by the scheme's name. */
    public Dispenser(IdSource source, Function<String, DrawListener> listeners) {
        schemes = source.schemes();
        byScheme = schemes.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Scheme::name, scheme -> new Served(source.generator(scheme), listeners.apply(scheme.name()))));
    }

    /** The answer to an order; nothing is drawn yet. Throws {@link UnknownSchemeException} for a scheme that is not served. */
    public Answer answer(Scheme<?> scheme, Order order, Media media) {
        Served served = byScheme.get(scheme.name());
        if (served == null) {
            throw Schemes.unknown(scheme.name(), schemes);
        }
        Frame frame = Frame.of(media, scheme.name(), order);
        return new Answer(served.generator(), scheme.type(), order, frame, served.listener());
    }

    private record Served(IdGenerator<? extends Id> generator, DrawListener listener) {}
}
