package org.idallocator.core.id;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * How one type of ID is read and written. Immutable, thread-safe.
 *
 * @param name the scheme's, in paths and in the configuration
 * @param bytes length in bytes
 * @param reader the ID of some bits
 * @param textWriter writes the canonical text of some bits
 * @param textPattern the canonical text as a regular expression
 * @param fields the layout, most significant bits first. Bits without a meaning are left out
 * @param forms the text forms, by the names that {@code form=} takes: the first is the canonical one, of fixed length;
 *     {@code hex} is another
 */
public record IdType<T extends Id>(
        String name,
        int bytes,
        IdReader<T> reader,
        IdTextWriter textWriter,
        String textPattern,
        List<Field<T>> fields,
        List<Form<T>> forms) {

    /**
     * One field of an ID's layout.
     *
     * @param name the name in the specification's words
     * @param firstBit the first bit, inclusive; bit 0 is the most significant one of the ID
     * @param lastBit the last bit, inclusive, counted likewise
     * @param value reads the field, an unsigned number, from an ID
     */
    public record Field<T extends Id>(String name, int firstBit, int lastBit, ToLongFunction<T> value) {}

    /**
     * A text form of an ID.
     *
     * @param name the name in {@code form=}
     * @param shortest the length of the shortest text that {@code write} gives, in ASCII characters
     * @param longest the length of the longest one; the same as {@code shortest} in a form of fixed length
     * @param write gives the text
     * @param parse reads what {@code write} gives, and what the ID's own page says besides; throws
     *     {@link IdFormatException}
     */
    public record Form<T extends Id>(
            String name, int shortest, int longest, Function<T, String> write, Function<String, T> parse) {
        /** The name of the form whose text is canonical. */
        public static final String CANONICAL = "canonical";

        static final String HEX = "hex";

        /** A form whose texts have one length. */
        public Form(String name, int length, Function<T, String> write, Function<String, T> parse) {
            this(name, length, length, write, parse);
        }

        /** Whether all texts have one length. */
        public boolean fixed() {
            return shortest == longest;
        }
    }

    /** The form {@code hex}: the ID's bits in hex digits. */
    public Form<T> hex() {
        return forms.stream()
                .filter(form -> form.name().equals(Form.HEX))
                .findFirst()
                .orElseThrow();
    }

    /** Length of the canonical text in ASCII characters. */
    public int textLength() {
        return forms.get(0).longest();
    }

    /** Reads exactly the canonical text; the function throws {@link IdFormatException} for others. */
    public Function<String, T> parse() {
        return forms.get(0).parse();
    }
}
