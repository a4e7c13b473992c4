package org.idallocator.core.scheme;

import java.util.List;
import org.idallocator.core.id.BadValueException;

/** The values that an option of a scheme, or a {@link Parameter} of a request, may have. Immutable, thread-safe. */
public sealed interface Allowed {

    /**
     * The values in words, as errors name them: {@code 0..255}, {@code true or false}, {@code volume, log, segment}.
     */
    String words();

    /** The error for another value. The message names what cannot have the value, what is allowed, and the value. */
    static BadValueException refused(String name, String allowed, Object value) {
        return new BadValueException(name, "must be " + allowed + ": " + value);
    }

    /**
     * Whole numbers in decimal digits without a sign.
     *
     * @param least the smallest, inclusive
     * @param most the largest, inclusive
     */
    record Range(int least, int most) implements Allowed {

        int read(String name, String value) {
            if (value.matches("[0-9]{1,9}")) {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            }
            throw refused(name, words(), value);
        }

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
        static final OneOf TRUE_OR_FALSE = new OneOf(List.of("true", "false"));

        public OneOf {
            values = List.copyOf(values);
        }

        String read(String name, String value) {
            if (!values.contains(value)) {
                throw refused(name, (values.size() == 2 ? "" : "one of ") + words(), value);
            }
            return value;
        }

        @Override
        public String words() {
            return String.join(values.size() == 2 ? " or " : ", ", values);
        }
    }
}
