package org.idallocator.dropwizard.ids;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.WaitListener;

/**
 * The answer to a request: its length, and its bytes. The IDs are drawn when the bytes are asked for, by
 * {@link #drawWhole}, {@link #poll} or {@link #stream}. They throw what {@link IdGenerator} throws,
 * {@link BusyException} and {@link OverCapacityException} where there is no room beside others, and
 * {@link ClientGoneException} where the stream takes no more of the answer, or nobody waits for it any more. Whether
 * somebody waits is asked after each {@link IdService.Issuer#chunk}, and in every tick that gives IDs. It is not asked
 * between ticks, when the draw waits for its turn, nor within a transaction, which is one draw. Keeps nothing of what
 * was drawn, so that the same one may answer many requests. Immutable, thread-safe.
 */
public final class IdAnswer {
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final IdService service;
    private final IdService.Issuer issuer;
    private final IdRequest<?> request;
    private final IdEncoder encoder;
    private final Frame frame;
    private final long longest;

    IdAnswer(IdService service, IdService.Issuer issuer, IdRequest<?> request, Media media) {
        this.service = service;
        this.issuer = issuer;
        this.request = request;
        encoder = request.encoder();
        frame = media.frame(request);
        longest = frame.length(request.ids(), encoder.longest());
    }

    /** Whoever waits for an answer. */
    public interface Client {
        /** Whether the client is there: false once it is known that nobody will read the answer. Does not block. */
        boolean isPresent();

        /**
         * Gives back what the client's request is worked on by: the draw is about to wait, or a large answer begins.
         * Does not block, and may be called more than once.
         */
        default void releasePermit() {}
    }

    /**
     * The length of the answer in bytes, known before anything is drawn; empty where IDs of this form differ in length.
     */
    public OptionalLong length() {
        return encoder.fixed() ? OptionalLong.of(longest) : OptionalLong.empty();
    }

    /**
     * Draws the whole answer to a request for one ID where that takes no waiting, for a thread that may not wait. Empty
     * where {@link #drawWhole} has to be asked, which waits, or says why nothing is issued: then nothing was drawn, and
     * no listener has heard of it.
     */
    public Optional<byte[]> poll() {
        if (request.count() > 1) {
            return Optional.empty();
        }
        IdWriter writer = newCollectingWriter();
        try {
            if (!issuer.generator().with(request.variant()).poll(writer)) {
                return Optional.empty();
            }
        } catch (RuntimeException e) {
            throw reported(e);
        }
        issuer.listener().issued(writer.written());
        writer.finish();
        return Optional.of(writer.bytes());
    }

    private RuntimeException reported(RuntimeException why) {
        issuer.listener().failed(why);
        return why;
    }

    /** A writer whose buffer has room for the whole answer. */
    private IdWriter newCollectingWriter() {
        return new IdWriter(frame, encoder, new byte[Math.toIntExact(longest)], (bytes, length) -> {});
    }

    /** Draws the whole answer. When this throws, nothing was answered; IDs may be used up all the same. */
    public byte[] drawWhole(Client client) {
        try (Backlog.Batch batch = issuer.backlog().begin(request.drawCount())) {
            IdWriter writer = newCollectingWriter();
            Drawing drawing = new Drawing(issuer.listener(), client, new Semaphore(1)); // a permit of its own
            draw(writer, batch, drawing, () -> {});
            return writer.bytes();
        } catch (RuntimeException e) {
            throw reported(e);
        }
    }

    /**
     * Draws and writes by turns, in constant memory. Where IDs come slowly, the stream gets those of each chunk at
     * once, and is flushed; else whenever a buffer is full. When this throws before the stream took a byte, nothing was
     * answered. When this throws later, the stream has a part of the answer, which must not look like the whole.
     * However many answers are streamed, no more of them are drawn at a time than there are processors, but for what
     * comes with a tick that some of them have waited for.
     */
    public void stream(OutputStream out, Client client) {
        Places places = service.places(Limit.STREAMS);
        if (!places.take()) {
            service.countBusy(Limit.STREAMS);
            throw reported(new BusyException(Limit.STREAMS));
        }
        client.releasePermit();
        Drawing drawing = new Drawing(issuer.listener(), client, service.drawPermits());
        try (Backlog.Batch batch = issuer.backlog().begin(request.drawCount())) {
            IdWriter writer = new IdWriter(
                    frame,
                    encoder,
                    new byte[BUFFER_BYTES],
                    (bytes, length) -> send(out, batch, drawing, bytes, length));
            draw(writer, batch, drawing, issuer.isSlow() ? writer::flush : () -> {});
            writer.flush();
        } catch (RuntimeException e) {
            throw reported(e);
        } finally {
            drawing.releaseDrawPermit();
            places.giveBack();
        }
    }

    /**
     * Between chunks asks whether the client is there, and then does what is to be done; after the last, nobody is
     * asked.
     */
    private void draw(IdWriter writer, Backlog.Batch batch, Drawing drawing, Runnable beforeNext) {
        drawing.acquireDrawPermit();
        try {
            request.draw(issuer.generator().onWait(drawing), issuer.chunk(), writer, () -> {
                batch.setDrawn(writer.written());
                if (writer.written() < request.ids()) {
                    if (!drawing.client.isPresent()) {
                        throw new ClientGoneException(null);
                    }
                    beforeNext.run();
                }
            });
            writer.finish();
        } finally {
            issuer.listener().issued(writer.written());
        }
    }

    /** While the client takes bytes, the answer asks for no IDs, and leaves its draw permit to others. */
    private void send(OutputStream out, Backlog.Batch batch, Drawing drawing, byte[] bytes, int length) {
        batch.setSending(true);
        drawing.releaseDrawPermit();
        try {
            out.write(bytes, 0, length);
            if (issuer.isSlow()) {
                out.flush();
            }
        } catch (IOException e) {
            throw new ClientGoneException(e);
        } finally {
            drawing.acquireDrawPermit();
            batch.setSending(false);
        }
    }

    /**
     * Tells of the waits of one answer, which may be many, and lets others have its draw permit while it waits for a
     * tick, or for its client. What comes with the tick is drawn without one, until some of that was sent. For one
     * thread.
     */
    private static final class Drawing implements WaitListener {
        private final IdListener listener;
        private final Client client;
        private final Semaphore drawPermits;
        private boolean hasPermit;
        private boolean waited;

        Drawing(IdListener listener, Client client, Semaphore drawPermits) {
            this.listener = listener;
            this.client = client;
            this.drawPermits = drawPermits;
        }

        void acquireDrawPermit() {
            if (!hasPermit) {
                drawPermits.acquireUninterruptibly();
                hasPermit = true;
            }
        }

        void releaseDrawPermit() {
            if (hasPermit) {
                hasPermit = false;
                drawPermits.release();
            }
        }

        @Override
        public void begins() {
            client.releasePermit();
            releaseDrawPermit();
        }

        @Override
        public void waited(long nanos) {
            acquireDrawPermit();
            if (nanos > 0) {
                listener.waited(nanos, !waited);
                waited = true;
            }
        }
    }
}
