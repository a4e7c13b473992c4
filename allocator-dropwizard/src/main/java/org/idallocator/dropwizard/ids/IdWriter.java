package org.idallocator.dropwizard.ids;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.idallocator.core.id.IdSink;

/**
 * Writes IDs, as they are drawn, with a {@link Frame} around them into a buffer, and has the buffer sent whenever it is
 * full. Makes no garbage. Not thread-safe.
 */
final class IdWriter implements IdSink {
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final Frame frame;
    private final IdEncoder.Text text;
    private final int longest;
    private final byte[] buffer;
    private final ObjIntConsumer<byte[]> sender;
    private final long separator; // up to eight bytes, which come before the third ID and every further one
    private final int separatorLength;
    private int position;
    private long written;

    /**
     * {@code buffer} must have room for the longest part of the frame together with the longest ID, which has seven
     * bytes or more. {@code sender} is given the buffer and the number of its first bytes to send.
     */
    IdWriter(Frame frame, IdEncoder encoder, byte[] buffer, ObjIntConsumer<byte[]> sender) {
        this.frame = frame;
        text = encoder.text();
        longest = encoder.longest();
        this.buffer = buffer;
        this.sender = sender;
        byte[] further = frame.before(2);
        separatorLength = further.length;
        if (separatorLength > Long.BYTES) {
            throw new IllegalArgumentException(
                    "between two IDs there may be " + Long.BYTES + " bytes at most: " + separatorLength);
        }
        separator = (long) EIGHT_BYTES.get(Arrays.copyOf(further, Long.BYTES), 0);
    }

    @Override
    public void accept(long high, long low) {
        int start = written < 2 ? append(frame.before(written), longest) : appendSeparator();
        position = start + text.write(high, low, buffer, start);
        written++;
    }

    /**
     * Writes a part of the frame where the buffer has room for {@code more} bytes after it; returns the position after
     * the part.
     */
    private int append(byte[] part, int more) {
        int start = ensureRoom(part.length + more);
        System.arraycopy(part, 0, buffer, start, part.length);
        return start + part.length;
    }

    /**
     * Writes the separator as eight bytes in one step, because a loop would take as long as an ID. Superfluous bytes
     * are overwritten, or not sent. Returns the position after the separator.
     */
    private int appendSeparator() {
        int start = ensureRoom(separatorLength + longest);
        EIGHT_BYTES.set(buffer, start, separator);
        return start + separatorLength;
    }

    private int ensureRoom(int length) {
        if (position + length > buffer.length) {
            flush();
        }
        return position;
    }

    /** Writes the end of the answer. {@link #flush} or {@link #bytes} takes what is in the buffer then. */
    void finish() {
        position = append(frame.last(), 0);
    }

    /**
     * The bytes in the buffer, which are all that was written if nothing was sent. Returns the buffer itself, without a
     * copy, when the buffer is full.
     */
    byte[] bytes() {
        return position == buffer.length ? buffer : Arrays.copyOf(buffer, position);
    }

    /** The number of IDs that were accepted. */
    long written() {
        return written;
    }

    /** Sends what is in the buffer, and empties it. */
    void flush() {
        sender.accept(buffer, position);
        position = 0;
    }
}
