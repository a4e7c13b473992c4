package org.idallocator.service.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command's standard output, collected until it is flushed or closed. When its reader has gone, as {@code head} does after its
 * lines, what is written is dropped, and the command goes on as if somebody read it. Every other failure is a {@link
 * CommandException}. Not thread-safe.
 */
public final class Output implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Output.class);
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final OutputStream out;
    private boolean ended;

    public Output(OutputStream out) {
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    /** Writes the first {@code length} bytes. */
    public void write(byte[] bytes, int length) {
        try {
            if (!ended) {
                out.write(bytes, 0, length);
            }
        } catch (IOException e) {
            end(e);
        }
    }

    public void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes, bytes.length);
    }

    public void flush() {
        try {
            if (!ended) {
                out.flush();
            }
        } catch (IOException e) {
            end(e);
        }
    }

    /** Whether nobody reads what is written from now on. */
    public boolean ended() {
        return ended;
    }

    /** The message is the system's, in the user's language; in all of them it names the pipe. */
    private void end(IOException e) {
        ended = true;
        if (!String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe")) {
            throw new CommandException("standard output takes no more: " + e.getMessage(), e);
        }
        LOG.debug("the reader of standard output has gone", e);
    }

    /** Flushes; the stream itself is its owner's. */
    @Override
    public void close() {
        flush();
    }
}
