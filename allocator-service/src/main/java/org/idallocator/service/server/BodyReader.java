package org.idallocator.service.server;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads one body as it comes. Each chunk is copied and given back at once: a chunk keeps the buffer of the network in
 * which it came, and a client may send a chunk for each byte. A few chunks at a time are read on the thread of a
 * selector, and many elsewhere, so that single IDs do not wait for them. Nobody waits for what has not come.
 */
final class BodyReader {
    /** A body that comes as clients send it has one or two. */
    private static final int FEW_CHUNKS = 16;

    private final Content.Source source;
    private final int most;
    private final Executor elsewhere;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    private BodyReader(Content.Source source, int most, Executor elsewhere) {
        this.source = source;
        this.most = most;
        this.elsewhere = elsewhere;
    }

    /**
     * The bytes of a body once it has come, or why it cannot be read: {@link TooLargeException} where it has more than
     * {@code most} bytes. Reads what has come so far.
     */
    static CompletableFuture<byte[]> read(Content.Source source, int most, Executor elsewhere) {
        BodyReader reader = new BodyReader(source, most, elsewhere);
        reader.readFew();
        return reader.body;
    }

    private void readFew() {
        if (!readWhatHasCome(FEW_CHUNKS)) {
            return;
        }
        try {
            elsewhere.execute(() -> readWhatHasCome(Integer.MAX_VALUE));
        } catch (RejectedExecutionException e) {
            body.completeExceptionally(e); // the server stops
        }
    }

    /**
     * Reads so many chunks at most; returns whether there may be more now. Who waits for the body may have given up
     * meanwhile, and then nothing is read.
     */
    private boolean readWhatHasCome(int chunks) {
        for (int i = 0; i < chunks && !body.isDone(); i++) {
            Content.Chunk chunk = source.read();
            if (chunk == null) {
                source.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::readFew));
                return false;
            } else if (Content.Chunk.isFailure(chunk)) {
                body.completeExceptionally(chunk.getFailure());
            } else {
                take(chunk);
            }
        }
        return !body.isDone();
    }

    private void take(Content.Chunk chunk) {
        try {
            if (bytes.size() + chunk.remaining() > most) {
                body.completeExceptionally(new TooLargeException());
                return;
            }
            bytes.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
        } finally {
            chunk.release();
        }
        if (chunk.isLast()) {
            body.complete(bytes.toByteArray());
        }
    }

    /** Thrown where a body is larger than allowed. */
    static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
