package org.idallocator.service.draw;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.IdType;

/**
 * Writes IDs, as they are drawn, with a {@link Frame} around them into a buffer, and the buffer into a stream whenever the
 * buffer is full. Makes no garbage. Not thread-safe.
 */
final class IdWriter implements IdSink {
    private final Frame frame;
    private final IdType<?> type;
    private final byte[] buffer;
    private final OutputStream out;
    private int position;
    private long written;

    /** {@code buffer} must have room for the longest part of the frame together with one ID. */
    IdWriter(Frame frame, IdType<?> type, byte[] buffer, OutputStream out) {
        this.frame = frame;
        this.type = type;
        this.buffer = buffer;
        this.out = out;
    }

    /** Throws {@link UncheckedIOException} when the stream takes no more. */
    @Override
    public void accept(long high, long low) {
        byte[] before = frame.before(written);
        makeRoom(before.length + type.textLength());
        put(before);
        type.textWriter().write(high, low, buffer, position);
        position += type.textLength();
        written++;
    }

    /** Ends the answer, and writes what is left in the buffer into the stream; throws as {@link #accept} does. */
    void finish() {
        makeRoom(frame.last().length);
        put(frame.last());
        drain();
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

    private void drain() {
        try {
            out.write(buffer, 0, position);
            position = 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
