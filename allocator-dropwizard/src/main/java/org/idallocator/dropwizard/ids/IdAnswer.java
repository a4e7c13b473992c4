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
 * The answer to a request for IDs. {@link #drawWhole}, {@link #poll} and {@link #stream} draw its IDs. An answer keeps
 * nothing of what was drawn, so the same one can answer many requests. Immutable, thread-safe.
 *
 * <p>The three methods throw what {@link IdGenerator} throws. {@link #drawWhole} and {@link #stream} also throw
 * {@link OverCapacityException} when other batches leave no room, and {@link ClientGoneException} when the client has
 * gone. {@link #stream} also throws {@link BusyException} when too many answers are streamed.
 *
 * <p>Whether the client is still there is asked after each {@link IdService.Issuer#chunk}, and in every tick that gives
 * IDs. It is not asked while the draw waits for a tick, nor within a transaction, which is one draw.
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

    /** The client that waits for an answer. */
    public interface Client {
        /**
         * Whether the client is still there: false once it is known that nobody will read the answer. Does not block.
         */
        boolean isPresent();

        /**
         * Releases the permit with which the server works on the client's request, because the draw is about to wait,
         * or a large answer begins. Does not block; may be called more than once.
         */
        default void releasePermit() {}
    }

    /** The length of the answer in bytes; empty when the texts of IDs in this form differ in length. */
    public OptionalLong length() {
        return encoder.fixed() ? OptionalLong.of(longest) : OptionalLong.empty();
    }

    /**
     * Draws the whole answer to a request for one ID, if that needs no waiting. For threads that may not wait. When
     * this is empty, nothing was drawn and no listener was told; {@link #drawWhole} then waits, or says why nothing is
     * issued. Empty where the ID is to sort after another, because that may need waiting.
     */
    public Optional<byte[]> poll() {
        if (request.count() > 1 || request.after().isPresent()) {
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

    /** A writer with room for the whole answer in its buffer. */
    private IdWriter newCollectingWriter() {
        return new IdWriter(frame, encoder, new byte[Math.toIntExact(longest)], (bytes, length) -> {});
    }

    /**
     * Draws the whole answer, and waits for ticks as needed. When this throws, nothing was answered, but IDs may be
     * used up.
     */
    public byte[] drawWhole(Client client) {
        try (Backlog.Batch batch = issuer.backlog().begin(request.drawCount())) {
            IdWriter writer = newCollectingWriter();
            Drawing drawing = new Drawing(issuer.listener(), client, Optional.empty());
            draw(writer, batch, drawing, () -> {});
            return writer.bytes();
        } catch (RuntimeException e) {
            throw reported(e);
        }
    }

    /**
     * Draws and writes the answer by turns, in constant memory. The stream gets a full buffer at a time, or each chunk
     * at once, flushed, where a slot gives IDs slowly.
     *
     * <p>When this throws before the stream took a byte, nothing was answered. When this throws later, the stream has a
     * part of the answer, which the caller must not let look like the whole.
     *
     * <p>However many answers are streamed, no more of them are drawn at a time than there are processors. IDs that
     * come with a tick that an answer has waited for are drawn beyond that.
     */
    public void stream(OutputStream out, Client client) {
        Places.Place place = takePlace();
        try {
            client.releasePermit();
            streamInPlace(out, client);
        } finally {
            place.close();
        }
    }

    private Places.Place takePlace() {
        return service.places(Limit.STREAMS).take().orElseThrow(() -> {
            service.countBusy(Limit.STREAMS);
            return reported(new BusyException(Limit.STREAMS));
        });
    }

    private void streamInPlace(OutputStream out, Client client) {
        Drawing drawing = new Drawing(issuer.listener(), client, Optional.of(service.drawPermits()));
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
        }
    }

    /**
     * Draws the IDs. After each chunk but the last, asks whether the client is still there, and then runs
     * {@code beforeNext}.
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

    /**
     * Sends bytes to the client. Meanwhile the batch does not count, and other answers can have this one's draw permit.
     */
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
     * The draw of one answer. Tells the listener of its waits, which may be many. If it needs a draw permit, it has one
     * while it draws, and leaves that to others while it waits for a tick or for its client. IDs that come with the
     * tick are drawn without a permit, until some of them were sent. Not thread-safe.
     */
    private static final class Drawing implements WaitListener {
        private final IdListener listener;
        private final Client client;
        private final Optional<Semaphore> drawPermits;
        private boolean permitted;
        private boolean waited;

        /** {@code drawPermits} is empty for a draw that needs no permit. */
        Drawing(IdListener listener, Client client, Optional<Semaphore> drawPermits) {
            this.listener = listener;
            this.client = client;
            this.drawPermits = drawPermits;
        }

        void acquireDrawPermit() {
            if (!permitted) {
                drawPermits.ifPresent(Semaphore::acquireUninterruptibly);
                permitted = true;
            }
        }

        void releaseDrawPermit() {
            if (permitted) {
                permitted = false;
                drawPermits.ifPresent(Semaphore::release);
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
