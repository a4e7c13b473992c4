package org.idallocator.core.scheme;

import java.util.List;

/** The values that a {@link Parameter} may have. Immutable, thread-safe. */
public sealed interface Allowed {

    /** The values in words, as errors name them: {@code 0..255}, {@code true or false}, {@code volume, log, segment}. */
    String words();

    /**
     * Whole numbers in decimal digits without a sign.
     *
     * @param least the smallest, inclusive
     * @param most the largest, inclusive
     */
    record Range(int least, int most) implements Allowed {
        @Override
        public String words() {
            return least + ".." + most;
        }
    }

    /**
     * Some words and no others.
     *
     * @param values two of them, or more
     */
    record OneOf(List<String> values) implements Allowed {
        public OneOf {
            values = List.copyOf(values);
        }

        @Override
        public String words() {
            return String.join(values.size() == 2 ? " or " : ", ", values);
        }
    }
}
