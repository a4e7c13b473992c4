package org.idallocator.dropwizard.ids;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdTextWriter;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;

/**
 * Writes IDs, given as bits, in one text form. Immutable, thread-safe.
 *
 * @param longest the length of the longest text, in bytes
 * @param fixed whether all texts have that length
 * @param text writes one text
 */
public record IdEncoder(int longest, boolean fixed, Text text) {
    /**
     * Writes a text into {@code buffer} from {@code offset} on, where there must be room for the longest text; returns
     * the length of the text in bytes.
     */
    public interface Text {
        int write(long high, long low, byte[] buffer, int offset);
    }

    /** An encoder for a form of the scheme. Canonical text is written without garbage. */
    static <T extends Id> IdEncoder of(Scheme<T> scheme, Form<T> form) {
        return new IdEncoder(
                form.longest(),
                form.fixed(),
                form.name().equals(Form.CANONICAL)
                        ? canonical(scheme.type().textWriter(), form.longest())
                        : inForm(scheme.type().reader(), form));
    }

    private static Text canonical(IdTextWriter writer, int length) {
        return (high, low, buffer, offset) -> {
            writer.write(high, low, buffer, offset);
            return length;
        };
    }

    private static <T extends Id> Text inForm(IdReader<T> reader, Form<T> form) {
        return (high, low, buffer, offset) -> {
            byte[] text = form.write().apply(reader.of(high, low)).getBytes(US_ASCII);
            System.arraycopy(text, 0, buffer, offset, text.length);
            return text.length;
        };
    }
}
