package org.idallocator.service.ids;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.idallocator.core.id.IdSink;

/**
 * Writes IDs, as they are drawn, with a {@link Frame} around them into a buffer, and the buffer into a stream whenever the
 * buffer is full. Makes no garbage. Not thread-safe.
 */
final class IdWriter implements IdSink {
    private final Frame frame;
    private final IdEncoder encoder;
    private final byte[] buffer;
    private final OutputStream out;
    private final int lastStart; // the last place in the buffer where an ID can begin
    private byte[] before; // what comes before the next ID
    private int position;
    private long written;

    /** {@code buffer} must have room for the longest part of the frame together with the longest ID. */
    IdWriter(Frame frame, IdEncoder encoder, byte[] buffer, OutputStream out) {
        this.frame = frame;
        this.encoder = encoder;
        this.buffer = buffer;
        this.out = out;
        lastStart = buffer.length - encoder.longest();
        before = frame.before(0);
    }

    /** Throws {@link ClientGoneException} when the stream takes no more. */
    @Override
    public void accept(long high, long low) {
        if (position + before.length > lastStart) {
            drain();
        }
        int start = position;
        for (byte one : before) { // few: a call that copies takes longer
            buffer[start++] = one;
        }
        position = start + encoder.write(high, low, buffer, start);
        if (++written <= 2) {
            before = frame.before(written);
        }
    }

    /** Ends the answer; what is left in the buffer is for {@link #drain} or {@link #bytes}. Throws as {@link #accept} does. */
    void finish() {
        makeRoom(frame.last().length);
        put(frame.last());
    }

    /** What is in the buffer: all that was written, where the buffer has room for that. Without a copy where the buffer is full. */
    byte[] bytes() {
        return position == buffer.length ? buffer : Arrays.copyOf(buffer, position);
    }

    /** The number of IDs that were accepted. */
    long written() {
        return written;
    }

    private void put(byte[] bytes) {
        System.arraycopy(bytes, 0, buffer, position, bytes.length);
        position += bytes.length;
    }

    private void makeRoom(int needed) {
        if (buffer.length - position < needed) {
            drain();
        }
    }

    /** Has what was written until now on its way; throws as {@link #accept} does. */
    void deliver() {
        drain();
        try {
            out.flush();
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    /** Writes what is in the buffer into the stream; throws as {@link #accept} does. */
    void drain() {
        try {
            out.write(buffer, 0, position);
            position = 0;
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }
}
