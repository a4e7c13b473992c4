package org.idallocator.service.draw;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;

/** Every served scheme's generator, and how orders for it are answered. Thread-safe. */
public final class Draws {
    private final Map<String, Drawn> byScheme;

    /** {@code listeners} gives each scheme's listener by its name. */
    public Draws(IdSource source, Function<String, DrawListener> listeners) {
        byScheme = source.schemes().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Scheme::name, scheme -> new Drawn(source.generator(scheme), listeners.apply(scheme.name()))));
    }

    /** What an order becomes; nothing is drawn yet. */
    public Answer answer(Scheme<?> scheme, Order order, Format format) {
        Drawn drawn = byScheme.get(scheme.name());
        if (drawn == null) {
            throw new IllegalArgumentException("scheme is not served: " + scheme.name());
        }
        Frame frame = Frame.of(format, scheme.name(), order);
        return new Answer(drawn.generator().with(order.variant()), scheme.type(), order, frame, drawn.listener());
    }

    /** The order for {@code count} IDs of a variant. */
    public static Order order(Scheme<?> scheme, int count, boolean listed, Variant variant) {
        return new Order(count, listed, variant, scheme.grouped(variant));
    }

    private record Drawn(IdGenerator<? extends Id> generator, DrawListener listener) {}
}
