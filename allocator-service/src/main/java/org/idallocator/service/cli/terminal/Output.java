package org.idallocator.service.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command's standard output, collected until {@link #flush} or some ten thousand bytes. Not thread-safe.
 *
 * <p>Both ways of writing throw {@link ReaderGoneException} when nobody reads it any more, and {@link CommandException}
 * when it takes no more for another reason, such as a full disk.
 */
public final class Output {
    private static final Logger LOG = LoggerFactory.getLogger(Output.class);
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final OutputStream out;

    public Output(OutputStream out) {
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    public void write(byte[] bytes) {
        attempt(() -> out.write(bytes, 0, bytes.length));
    }

    public void write(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    public void flush() {
        attempt(out::flush);
    }

    /**
     * Runs what prints, until whoever reads standard output has enough of it.
     *
     * @return whether it ran to its end
     */
    public static boolean untilEnough(Printing printing) throws IOException {
        try {
            printing.run();
            return true;
        } catch (ReaderGoneException e) {
            LOG.debug("whoever reads has enough", e);
            return false;
        }
    }

    /** Something that prints, and may fail to read what it prints of. */
    public interface Printing {
        void run() throws IOException;
    }

    private static void attempt(Printing attempt) {
        try {
            attempt.run();
        } catch (IOException e) {
            throw readerGone(e)
                    ? new ReaderGoneException(e)
                    : new CommandException("standard output takes no more: " + e.getMessage(), e);
        }
    }

    /** The system's words, whose language is the user's; all of them name the pipe. */
    private static boolean readerGone(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }
}
