package org.idallocator.core.scheme;

import java.util.function.Function;
import org.idallocator.core.id.Id;

/**
 * A text form of an ID.
 *
 * @param name the name in {@code form=}
 * @param write gives the text
 * @param parse reads the text strictly; throws {@link org.idallocator.core.id.IdFormatException}
 */
public record Form<T extends Id>(String name, Function<T, String> write, Function<String, T> parse) {}
