package org.idallocator.service.cli.generate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.IdType;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.terminal.Output;

/** Writes IDs, as they are drawn, one a line. Not thread-safe. */
public final class IdLines implements IdSink {
    private final Encoder encoder;
    private final byte[] before;
    private final byte[] after;
    private final Output out;

    private IdLines(Encoder encoder, String quote, Output out) {
        this.encoder = encoder;
        this.before = quote.getBytes(US_ASCII);
        this.after = (quote + "\n").getBytes(US_ASCII);
        this.out = out;
    }

    /**
     * Lines of a scheme's IDs.
     *
     * @param form the form of the IDs; canonical text when empty
     * @param json whether each line is a JSON string
     */
    public static <T extends Id> IdLines of(Scheme<T> scheme, Optional<Form<T>> form, boolean json, Output out) {
        Encoder encoder = form.map(named -> inForm(scheme.type(), named)).orElseGet(() -> canonical(scheme.type()));
        return new IdLines(encoder, json ? "\"" : "", out);
    }

    /** Makes no garbage: every ID is written over the last one. */
    private static Encoder canonical(IdType<?> type) {
        byte[] text = new byte[type.textLength()];
        return (high, low) -> {
            type.textWriter().write(high, low, text, 0);
            return text;
        };
    }

    private static <T extends Id> Encoder inForm(IdType<T> type, Form<T> form) {
        return (high, low) -> form.write().apply(type.reader().of(high, low)).getBytes(US_ASCII);
    }

    @Override
    public void accept(long high, long low) {
        out.write(before);
        out.write(encoder.encode(high, low));
        out.write(after);
    }

    private interface Encoder {
        byte[] encode(long high, long low);
    }
}
