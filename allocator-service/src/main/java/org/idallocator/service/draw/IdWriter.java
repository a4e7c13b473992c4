package org.idallocator.service.draw;

import java.io.IOException;
import java.io.OutputStream;
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
    private int position;
    private long written;

    /** {@code buffer} must have room for the longest part of the frame together with the longest ID. */
    IdWriter(Frame frame, IdEncoder encoder, byte[] buffer, OutputStream out) {
        this.frame = frame;
        this.encoder = encoder;
        this.buffer = buffer;
        this.out = out;
    }

    /** Throws {@link CallerGoneException} when the stream takes no more. */
    @Override
    public void accept(long high, long low) {
        byte[] before = frame.before(written);
        makeRoom(before.length + encoder.longest());
        put(before);
        position += encoder.write(high, low, buffer, position);
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
            throw new CallerGoneException(e);
        }
    }
}
