package org.idallocator.service.ids;

import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.idallocator.core.id.IdSink;

/**
 * Writes IDs, as they are drawn, with a {@link Frame} around them into a buffer, and has the buffer sent whenever it is full. Makes no
 * garbage. Not thread-safe.
 */
final class IdWriter implements IdSink {
    private final Frame frame;
    private final IdEncoder.Text text;
    private final byte[] buffer;
    private final ObjIntConsumer<byte[]> sender;
    private final int lastStart; // the last place in the buffer where an ID can begin
    private byte[] before; // what comes before the next ID
    private int position;
    private long written;

    /**
     * {@code buffer} must have room for the longest part of the frame together with the longest ID. {@code sender} sends as many of its
     * first bytes as it is told.
     */
    IdWriter(Frame frame, IdEncoder encoder, byte[] buffer, ObjIntConsumer<byte[]> sender) {
        this.frame = frame;
        text = encoder.text();
        this.buffer = buffer;
        this.sender = sender;
        lastStart = buffer.length - encoder.longest();
        before = frame.before(0);
    }

    @Override
    public void accept(long high, long low) {
        if (position + before.length > lastStart) {
            drain();
        }
        int start = position;
        for (byte one : before) { // few: a call that copies takes longer
            buffer[start++] = one;
        }
        position = start + text.write(high, low, buffer, start);
        if (++written <= 2) {
            before = frame.before(written);
        }
    }

    /** Ends the answer; what is left in the buffer is for {@link #drain} or {@link #bytes}. */
    void finish() {
        byte[] last = frame.last();
        if (position + last.length > buffer.length) {
            drain();
        }
        System.arraycopy(last, 0, buffer, position, last.length);
        position += last.length;
    }

    /** What is in the buffer: all that was written, where the buffer has room for that. Without a copy where the buffer is full. */
    byte[] bytes() {
        return position == buffer.length ? buffer : Arrays.copyOf(buffer, position);
    }

    /** The number of IDs that were accepted. */
    long written() {
        return written;
    }

    /** Has what is in the buffer sent. */
    void drain() {
        sender.accept(buffer, position);
        position = 0;
    }
}
