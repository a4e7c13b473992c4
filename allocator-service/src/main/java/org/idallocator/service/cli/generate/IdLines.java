package org.idallocator.service.cli.generate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.draw.IdEncoder;
import org.idallocator.service.text.Forms;

/** Writes IDs, as they are drawn, one a line. Canonical text makes no garbage: each line is written over the last one. Not thread-safe. */
public final class IdLines implements IdSink {
    private final IdEncoder encoder;
    private final Output out;
    private final int from;
    private final byte[] end;
    private final byte[] line;

    private IdLines(IdEncoder encoder, String quote, Output out) {
        this.encoder = encoder;
        this.out = out;
        this.from = quote.length();
        this.end = (quote + "\n").getBytes(US_ASCII);
        this.line = new byte[from + encoder.longest() + end.length];
        System.arraycopy(end, 0, line, 0, from);
    }

    /**
     * Lines of a scheme's IDs.
     *
     * @param form the form of the IDs; canonical text when empty
     * @param json whether each line is a JSON string
     */
    public static <T extends Id> IdLines of(Scheme<T> scheme, Optional<Form<T>> form, boolean json, Output out) {
        Form<T> written = form.orElseGet(() -> Forms.named(scheme, Form.CANONICAL));
        return new IdLines(IdEncoder.of(scheme, written), json ? "\"" : "", out);
    }

    @Override
    public void accept(long high, long low) {
        int until = from + encoder.write(high, low, line, from);
        System.arraycopy(end, 0, line, until, end.length);
        out.write(line, until + end.length);
    }
}
