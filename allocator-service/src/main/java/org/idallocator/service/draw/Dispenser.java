package org.idallocator.service.draw;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;

/** Every served scheme's generator, and how orders for it are answered. Thread-safe. */
public final class Dispenser {
    private final Map<String, Served> byScheme;

    /** {@code listeners} gives each scheme's listener by its name. */
    public Dispenser(IdSource source, Function<String, DrawListener> listeners) {
        byScheme = source.schemes().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Scheme::name, scheme -> new Served(source.generator(scheme), listeners.apply(scheme.name()))));
    }

    /** What an order becomes; nothing is drawn yet. */
    public Answer answer(Scheme<?> scheme, Order order, Media media) {
        Served served = byScheme.get(scheme.name());
        if (served == null) {
            throw new IllegalArgumentException("scheme is not served: " + scheme.name());
        }
        Frame frame = Frame.of(media, scheme.name(), order);
        return new Answer(served.generator(), scheme.type(), order, frame, served.listener());
    }

    private record Served(IdGenerator<? extends Id> generator, DrawListener listener) {}
}
