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
 * selector, and many manyChunksExecutor, so that single IDs do not wait for them. Nobody waits for what has not come.
 */
final class BodyReader {
    /** A body that comes as clients send it has one or two. */
    private static final int MAX_CHUNKS_HERE = 16;

    private final Content.Source source;
    private final int maxBytes;
    private final Executor manyChunksExecutor;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    private BodyReader(Content.Source source, int maxBytes, Executor manyChunksExecutor) {
        this.source = source;
        this.maxBytes = maxBytes;
        this.manyChunksExecutor = manyChunksExecutor;
    }

    /**
     * The bytes of a body once it has come, or why it cannot be read: {@link TooLargeException} where it has more than
     * {@code maxBytes} bytes. Reads what has come so far.
     */
    static CompletableFuture<byte[]> read(Content.Source source, int maxBytes, Executor manyChunksExecutor) {
        BodyReader reader = new BodyReader(source, maxBytes, manyChunksExecutor);
        reader.readOrHandOn();
        return reader.body;
    }

    private void readOrHandOn() {
        if (!readAvailable(MAX_CHUNKS_HERE)) {
            return;
        }
        try {
            manyChunksExecutor.execute(() -> readAvailable(Integer.MAX_VALUE));
        } catch (RejectedExecutionException e) {
            body.completeExceptionally(e); // the server stops
        }
    }

    /**
     * Reads so many chunks at maxBytes; returns whether there may be more now. Who waits for the body may have given up
     * meanwhile, and then nothing is read.
     */
    private boolean readAvailable(int maxChunks) {
        for (int i = 0; i < maxChunks && !body.isDone(); i++) {
            Content.Chunk chunk = source.read();
            if (chunk == null) {
                source.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::readOrHandOn));
                return false;
            } else if (Content.Chunk.isFailure(chunk)) {
                body.completeExceptionally(chunk.getFailure());
            } else {
                append(chunk);
            }
        }
        return !body.isDone();
    }

    private void append(Content.Chunk chunk) {
        try {
            if (bytes.size() + chunk.remaining() > maxBytes) {
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
