package org.idallocator.service.server;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads one body as its chunks come. Each chunk is copied and released at once, because a chunk keeps a whole network
 * buffer in memory, and a client may send a chunk for each byte. The first few chunks are read on the thread that
 * brings them, which may be a selector's. The rest of many chunks is read by another executor, so that single IDs do
 * not wait for them. No thread waits for chunks that have not come.
 *
 * <p>Thread-safe. One thread at a time reads or gives up, because a request must not be answered while its body is
 * read.
 */
final class BodyReader {
    /** How many chunks are read in a row on the thread that brings them. Usual clients send a body in one or two. */
    private static final int MAX_CHUNKS_HERE = 16;

    private final Content.Source source;
    private final int maxBytes;
    private final Executor manyChunksExecutor;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private volatile boolean handedOn;

    private BodyReader(Content.Source source, int maxBytes, Executor manyChunksExecutor) {
        this.source = source;
        this.maxBytes = maxBytes;
        this.manyChunksExecutor = manyChunksExecutor;
    }

    /**
     * Reads the chunks that have come, and goes on by itself when others come.
     *
     * @param maxBytes the largest size of the body, inclusive
     * @param manyChunksExecutor reads what is left after the first few chunks
     */
    static BodyReader start(Content.Source source, int maxBytes, Executor manyChunksExecutor) {
        BodyReader reader = new BodyReader(source, maxBytes, manyChunksExecutor);
        reader.readOrHandOn();
        return reader;
    }

    /**
     * The bytes once the whole body has come; fails with {@link TooLargeException} for a larger body, or with what
     * failed.
     */
    CompletableFuture<byte[]> body() {
        return body;
    }

    /**
     * Reads no more: the body fails with {@code why}, unless it has come or failed before. The calling thread does not
     * wait for the executor to have read what it reads now; the body fails after that.
     */
    void giveUp(Throwable why) {
        if (handedOn) {
            giveUpLater(why);
        } else {
            fail(why);
        }
    }

    /** The same, never on the calling thread, which may be one that has other things to do. */
    void giveUpLater(Throwable why) {
        try {
            manyChunksExecutor.execute(() -> fail(why));
        } catch (Throwable e) { // the server stops, or there is no memory for a thread
            fail(why);
        }
    }

    private synchronized void fail(Throwable why) {
        body.completeExceptionally(why);
    }

    private void readOrHandOn() {
        if (!readAvailable(MAX_CHUNKS_HERE)) {
            return;
        }
        handedOn = true;
        try {
            manyChunksExecutor.execute(() -> readAvailable(Integer.MAX_VALUE));
        } catch (Throwable e) { // the server stops, or there is no memory for a thread
            fail(e);
        }
    }

    /**
     * Reads up to {@code maxChunks} chunks. Reads none once the body is complete, has failed, or was given up by
     * whoever waits for it. Returns whether more chunks may be there now.
     */
    private synchronized boolean readAvailable(int maxChunks) {
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
