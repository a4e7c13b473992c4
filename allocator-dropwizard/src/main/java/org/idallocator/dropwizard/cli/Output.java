package org.idallocator.dropwizard.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A command's standard output, collected until it is flushed or closed. When the reader has gone, as {@code head} goes
 * after its lines, everything that is written is dropped, and the command goes on. Every other failure to write is a
 * {@link CommandException}. Not thread-safe.
 */
public final class Output implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final ByteArrayOutputStream collected = new ByteArrayOutputStream(BUFFER_BYTES);
    private final OutputStream out;
    private boolean readerGone;

    public Output(OutputStream out) {
        this.out = out;
    }

    /** Writes the first {@code length} bytes. */
    public void write(byte[] bytes, int length) {
        collected.write(bytes, 0, length);
        if (collected.size() >= BUFFER_BYTES) {
            flush();
        }
    }

    public void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes, bytes.length);
    }

    /**
     * Writes what was collected. A broken pipe is known by the word "pipe", which the system's message has in every
     * language.
     */
    public void flush() {
        try {
            if (!readerGone) {
                collected.writeTo(out);
                out.flush();
            }
        } catch (IOException e) {
            readerGone = true;
            if (!String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe")) {
                throw new CommandException("standard output takes no more: " + e.getMessage(), e);
            }
        } finally {
            collected.reset();
        }
    }

    /** Whether the reader has gone, so that nobody reads what is written from now on. */
    public boolean isReaderGone() {
        return readerGone;
    }

    /** Flushes; the stream itself is its owner's. */
    @Override
    public void close() {
        flush();
    }
}
