package org.idallocator.service.cli.terminal;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command's standard output. It collects what is written, until {@link #flush} or some ten thousand bytes. Not thread-safe, but
 * for {@link #lines}.
 *
 * <p>Writing and flushing throw {@link ReaderGoneException} when nobody reads standard output any more, and {@link
 * CommandException} when it takes no more for another reason, such as a full disk.
 */
public final class Output {
    private static final Logger LOG = LoggerFactory.getLogger(Output.class);
    private static final int BUFFER_BYTES = 64 * 1_024;

    /** A pipe takes so many bytes together or, as long as nobody reads, none: what is counted is what was taken. */
    private static final int PIECE_BYTES = 4_096;

    private final Taker taker;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long counted;
    private volatile long lines;

    public Output(OutputStream out) {
        this.taker = out instanceof FileOutputStream file
                ? inPieces(file.getChannel())
                : bytes -> {
                    out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
                    out.flush();
                    bytes.position(bytes.limit());
                };
    }

    private static Taker inPieces(FileChannel channel) {
        return bytes -> {
            int end = bytes.limit();
            bytes.limit(Math.min(end, bytes.position() + PIECE_BYTES));
            try {
                channel.write(bytes);
            } finally {
                bytes.limit(end);
            }
        };
    }

    /** Takes bytes, all or some, and moves their position on by what it took. */
    private interface Taker {
        void take(ByteBuffer bytes) throws IOException;
    }

    /** Writes the first {@code length} bytes. */
    public void write(byte[] bytes, int length) {
        int written = 0;
        while (written < length) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int more = Math.min(buffer.remaining(), length - written);
            buffer.put(bytes, written, more);
            written += more;
        }
    }

    public void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes, bytes.length);
    }

    public void flush() {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                take();
            }
        } catch (IOException e) {
            throw readerGone(e)
                    ? new ReaderGoneException(e)
                    : new CommandException("standard output takes no more: " + e.getMessage(), e);
        } finally {
            buffer.clear();
        }
    }

    private void take() throws IOException {
        int from = buffer.position();
        try {
            taker.take(buffer);
        } finally {
            for (int i = from; i < buffer.position(); i++) {
                counted += buffer.get(i) == '\n' ? 1 : 0;
            }
            lines = counted;
        }
    }

    /** How many whole lines standard output has taken. */
    public long lines() {
        return lines;
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

    /** The message is the system's, in the user's language; in all of them it names the pipe. */
    private static boolean readerGone(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }
}
