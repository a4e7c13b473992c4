package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.Retainable;
import org.idallocator.dropwizard.testing.Gate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BodyReaderTest {
    private static final int MOST = 8_192;

    private final Chunks chunks = new Chunks();
    private final Queue<Runnable> elsewhere = new ArrayDeque<>();

    private BodyReader start() {
        return BodyReader.start(chunks, MOST, elsewhere::add);
    }

    private CompletableFuture<byte[]> read() {
        return start().body();
    }

    /** Each keeps a buffer of the network: 8,191 of one byte took 1.9 MB. */
    @Test
    void shouldKeepNoChunkWhileABodyComes() {
        CompletableFuture<byte[]> body = read();

        for (int i = 1; i < MOST; i++) {
            chunks.come("a", false);
            assertEquals(0, chunks.kept.get());
        }
        assertFalse(body.isDone());
        chunks.come("b", true);
        assertEquals("a".repeat(MOST - 1) + "b", new String(body.join(), StandardCharsets.US_ASCII));
        assertEquals(0, chunks.kept.get());
    }

    /** Single IDs wait for the selector's thread. */
    @Test
    void shouldReadManyChunksElsewhere() {
        for (int i = 0; i < 100; i++) {
            chunks.come("a", i == 99);
        }
        CompletableFuture<byte[]> body = read();

        assertFalse(body.isDone());
        assertTrue(chunks.coming.size() > 50);
        elsewhere.remove().run();
        assertEquals(100, body.join().length);
        assertEquals(0, chunks.kept.get());
    }

    @Test
    void shouldReadAnEmptyBody() {
        CompletableFuture<byte[]> body = read();
        chunks.come("", true);

        assertEquals(0, body.join().length);
    }

    @Test
    void shouldStopWhenABodyIsTooLarge() {
        CompletableFuture<byte[]> body = read();
        chunks.come("a".repeat(MOST), false);
        chunks.come("b", false);

        CompletionException refused = assertThrows(CompletionException.class, body::join);
        assertInstanceOf(BodyReader.TooLargeException.class, refused.getCause());
        assertEquals(0, chunks.kept.get());
        assertFalse(chunks.demanded());
    }

    @Test
    void shouldTellWhyABodyBreaksOff() {
        CompletableFuture<byte[]> body = read();
        IOException why = new IOException("broken");
        chunks.come(Content.Chunk.from(why));

        assertEquals(why, assertThrows(CompletionException.class, body::join).getCause());
    }

    @Test
    void shouldReadNothingMoreWhenNobodyWaitsAnyMore() {
        BodyReader reader = start();
        TimeoutException why = new TimeoutException();
        reader.giveUp(why);
        chunks.come("a", false);

        assertEquals(
                why,
                assertThrows(CompletionException.class, reader.body()::join).getCause());
        assertEquals(1, chunks.coming.size(), "it is Jetty's to throw away");
        assertFalse(chunks.demanded());
    }

    @Test
    void shouldGiveUpOnAnotherThreadWhereTheBodyIsReadThere() {
        comeInMany();
        BodyReader reader = start();
        reader.giveUp(new TimeoutException());

        assertFalse(reader.body().isDone());
        elsewhere.forEach(Runnable::run);
        assertEquals(100, reader.body().join().length);
    }

    private void comeInMany() {
        for (int i = 0; i < 100; i++) {
            chunks.come("a", i == 99);
        }
    }

    /** Whoever answers the request must not do so while another thread reads the body. */
    @Test
    void shouldGiveUpOnlyWhenNobodyReads() throws InterruptedException {
        comeInMany();
        BodyReader reader = start();
        Gate gate = new Gate();
        chunks.beforeRead = gate;
        Thread reads = new Thread(elsewhere.remove());
        reads.start();
        await().until(() -> gate.reached() == 1);
        reader.giveUpLater(new TimeoutException());
        Thread givesUp = new Thread(elsewhere.remove());
        givesUp.start();
        await().until(() ->
                Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED).contains(givesUp.getState()));

        assertFalse(reader.body().isDone());
        gate.open();
        reads.join();
        givesUp.join();
        assertEquals(100, reader.body().join().length);
    }

    /** Where no thread can be had: nobody else would end the request, and it would keep its place. */
    @Test
    void shouldGiveUpWhereNoOtherThreadCanBeHad() {
        BodyReader reader = BodyReader.start(chunks, MOST, task -> {
            throw new OutOfMemoryError("thrown by a test");
        });
        TimeoutException why = new TimeoutException();
        reader.giveUpLater(why);

        assertEquals(
                why,
                assertThrows(CompletionException.class, reader.body()::join).getCause());
    }

    /** A body whose chunks come when the test says so. */
    private static final class Chunks implements Content.Source {
        private final AtomicInteger kept = new AtomicInteger();
        private final Queue<Content.Chunk> coming = new ArrayDeque<>();
        private @Nullable Runnable demand;
        private volatile Runnable beforeRead = () -> {};

        void come(String bytes, boolean last) {
            kept.incrementAndGet();
            ByteBuffer buffer = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII));
            come(Content.Chunk.asChunk(buffer, last, new Counted()));
        }

        void come(Content.Chunk chunk) {
            coming.add(chunk);
            Runnable demanded = demand;
            demand = null;
            if (demanded != null) {
                demanded.run();
            }
        }

        boolean demanded() {
            return demand != null;
        }

        @Override
        public Content.@Nullable Chunk read() {
            beforeRead.run();
            return coming.poll();
        }

        @Override
        public void demand(Runnable demandCallback) {
            demand = demandCallback;
        }

        @Override
        public void fail(Throwable failure) {
            throw new AssertionError(failure);
        }

        /** The buffer of the network behind one chunk. */
        private final class Counted implements Retainable {
            @Override
            public boolean canRetain() {
                return true;
            }

            @Override
            public void retain() {
                kept.incrementAndGet();
            }

            @Override
            public boolean release() {
                return kept.decrementAndGet() == 0;
            }
        }
    }
}
