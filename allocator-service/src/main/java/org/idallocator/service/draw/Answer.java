package org.idallocator.service.draw;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType;

/**
 * The answer to an order: its length, and its bytes, which are drawn when they are asked for. Both ways of asking throw
 * what {@link IdGenerator} throws.
 */
public final class Answer {
    private static final int CHUNK_IDS = 4_096;
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final IdGenerator<? extends Id> generator;
    private final IdType<?> type;
    private final Order order;
    private final Frame frame;
    private final DrawListener listener;

    Answer(IdGenerator<? extends Id> generator, IdType<?> type, Order order, Frame frame, DrawListener listener) {
        this.generator = generator;
        this.type = type;
        this.order = order;
        this.frame = frame;
        this.listener = listener;
    }

    /** In bytes. */
    public long length() {
        return frame.length(order.ids(), type.textLength());
    }

    /** Draws all of it. When this throws, nothing was answered; IDs may have been used up. */
    public byte[] whole() {
        byte[] bytes = new byte[Math.toIntExact(length())];
        draw(new IdWriter(frame, type, bytes, OutputStream.nullOutputStream()));
        return bytes;
    }

    /**
     * Draws and writes by turns, in constant memory. When this throws before the stream took anything, nothing was
     * answered; after that, what the stream has is a part and must not look like a whole.
     */
    public void stream(OutputStream out) throws IOException {
        try {
            draw(new IdWriter(frame, type, new byte[BUFFER_BYTES], out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void draw(IdWriter writer) {
        try {
            order.draw(generator, CHUNK_IDS, writer, () -> {});
            writer.finish();
        } catch (RuntimeException e) {
            listener.failed(e);
            throw e;
        } finally {
            listener.issued(writer.written());
        }
    }
}
