package org.idallocator.service.ids;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdType;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;

/** Writes IDs, which are given as bits, in one text form. Immutable, thread-safe. */
public interface IdEncoder {
    /** The length of the longest text, in bytes. */
    int longest();

    /** Whether all texts have that length. */
    boolean fixed();

    /** Writes a text into {@code buffer} from {@code offset} on, where there is room for the longest; returns its length. */
    int write(long high, long low, byte[] buffer, int offset);

    /** Writes in a form of the scheme; the canonical one makes no garbage. */
    static <T extends Id> IdEncoder of(Scheme<T> scheme, Form<T> form) {
        return form.name().equals(Form.CANONICAL)
                ? new Canonical(scheme.type())
                : new InForm<>(scheme.type().reader(), form);
    }

    /** Writes canonical text. */
    record Canonical(IdType<?> type) implements IdEncoder {
        @Override
        public int longest() {
            return type.textLength();
        }

        @Override
        public boolean fixed() {
            return true;
        }

        @Override
        public int write(long high, long low, byte[] buffer, int offset) {
            type.textWriter().write(high, low, buffer, offset);
            return type.textLength();
        }
    }

    /** Writes another form. */
    record InForm<T extends Id>(IdReader<T> reader, Form<T> form) implements IdEncoder {
        @Override
        public int longest() {
            return form.longest();
        }

        @Override
        public boolean fixed() {
            return form.fixed();
        }

        @Override
        public int write(long high, long low, byte[] buffer, int offset) {
            byte[] text = form.write().apply(reader.of(high, low)).getBytes(US_ASCII);
            System.arraycopy(text, 0, buffer, offset, text.length);
            return text.length;
        }
    }
}
