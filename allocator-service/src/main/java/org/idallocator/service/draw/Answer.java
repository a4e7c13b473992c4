package org.idallocator.service.draw;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.OptionalLong;
import org.idallocator.core.generator.IdGenerator;

/**
 * The answer to an order: its length, and its bytes. The IDs are drawn when the bytes are asked for, by {@link #whole} or by
 * {@link #stream}. Both throw what {@link IdGenerator} throws, and {@link CallerGoneException} within a tick after nobody waits
 * for the answer any more, or where the stream takes no more of it.
 */
public final class Answer {
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final Draws draws;
    private final IdEncoder encoder;
    private final Order order;
    private final Frame frame;

    Answer(Draws draws, IdEncoder encoder, Order order, Frame frame) {
        this.draws = draws;
        this.encoder = encoder;
        this.order = order;
        this.frame = frame;
    }

    /** The length of the answer in bytes, known before anything is drawn; empty where IDs of this form differ in length. */
    public OptionalLong length() {
        return encoder.fixed() ? OptionalLong.of(longest()) : OptionalLong.empty();
    }

    private long longest() {
        return frame.length(order.ids(), encoder.longest());
    }

    /** Draws the whole answer. When this throws, nothing was answered; IDs may be used up all the same. */
    public byte[] whole(Caller caller) {
        byte[] bytes = new byte[Math.toIntExact(longest())];
        if (encoder.fixed()) {
            draw(new IdWriter(frame, encoder, bytes, OutputStream.nullOutputStream()), caller);
            return bytes;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        draw(new IdWriter(frame, encoder, bytes, out), caller);
        return out.toByteArray();
    }

    /**
     * Draws and writes by turns, in constant memory. When this throws before the stream took a byte, nothing was answered. When
     * this throws later, the stream has a part of the answer, which must not look like the whole.
     */
    public void stream(OutputStream out, Caller caller) {
        draw(new IdWriter(frame, encoder, new byte[BUFFER_BYTES], out), caller);
    }

    private void draw(IdWriter writer, Caller caller) {
        try {
            order.draw(draws.generator(), draws.chunk(), writer, () -> requirePresent(writer, caller));
            writer.finish();
        } catch (RuntimeException e) {
            draws.listener().failed(e);
            throw e;
        } finally {
            draws.listener().issued(writer.written());
        }
    }

    /** Nobody is asked about an answer that is drawn. */
    private void requirePresent(IdWriter writer, Caller caller) {
        if (writer.written() < order.ids() && !caller.waits()) {
            throw new CallerGoneException();
        }
    }
}
