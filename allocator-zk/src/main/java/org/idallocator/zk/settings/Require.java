package org.idallocator.zk.settings;

import java.util.function.Supplier;

/** Refuses settings. */
final class Require {
    private Require() {}

    /** Throws {@link IllegalArgumentException} unless a condition holds; the message begins with the key that is refused. */
    static void that(boolean condition, Supplier<String> message) {
        if (!condition) {
            throw new IllegalArgumentException(message.get());
        }
    }
}
