package org.idallocator.dropwizard.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.id.IdSink;
import org.idallocator.dropwizard.ids.IdEncoder;
import org.idallocator.dropwizard.ids.IdRequest;

/**
 * Draws the IDs of a request and prints them, one a line, while they are drawn. Uses constant memory, and for canonical
 * text no garbage: each line is written over the last one. Not thread-safe, except for {@link #tally}.
 */
final class IdPrinter implements IdSink {
    private static final int CHUNK_IDS = 1_024;

    private final IdRequest<?> request;
    private final IdEncoder encoder;
    private final Output out;
    private final int from;
    private final byte[] end;
    private final byte[] line;
    private long written;
    private volatile long printed;

    /** A printer of a request; {@code json} tells whether each line is a JSON string. */
    IdPrinter(IdRequest<?> request, boolean json, Output out) {
        this.request = request;
        this.encoder = request.encoder();
        this.out = out;
        String quote = json ? "\"" : "";
        this.from = quote.length();
        this.end = (quote + "\n").getBytes(US_ASCII);
        this.line = new byte[from + encoder.longest() + end.length];
        System.arraycopy(end, 0, line, 0, from);
    }

    /**
     * Prints all IDs. Stops early when {@code ending} says that the process ends, or when nobody reads standard output
     * any more.
     *
     * @throws CommandException saying how many IDs were printed, when no more can be drawn or printed
     */
    void print(IdGenerator<?> generator, BooleanSupplier ending) {
        try {
            request.draw(generator, CHUNK_IDS, this, () -> {
                flush();
                if (out.isReaderGone() || ending.getAsBoolean()) {
                    throw new CancellationException("no more IDs are wanted");
                }
            });
        } catch (CancellationException e) {
            // no more IDs are wanted
        } catch (CommandException | FencedException | OverCapacityException e) {
            flush();
            // A process that ends releases the slot meanwhile. That is no failure, and Interruption prints the tally.
            if (!ending.getAsBoolean()) {
                throw new CommandException(e.getMessage() + " (" + tally() + ")", e);
            }
        }
    }

    /** Makes what was printed readable at once. */
    private void flush() {
        out.flush();
        printed = out.isReaderGone() ? printed : written;
    }

    @Override
    public void accept(long high, long low) {
        int until = from + encoder.text().write(high, low, line, from);
        System.arraycopy(end, 0, line, until, end.length);
        out.write(line, until + end.length);
        written++;
    }

    /** Says how many IDs were printed, out of how many. */
    String tally() {
        return printed + " of " + request.ids() + " IDs were printed";
    }
}
