package org.idallocator.service.draw;

import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.WaitListener;

/**
 * The answer to an order: its length, and its bytes. The IDs are drawn when the bytes are asked for, by {@link #whole}, {@link
 * #poll} or {@link #stream}. They throw what {@link IdGenerator} throws, {@link
 * BusyException} and {@link OverCapacityException} where there is no room beside others, and {@link CallerGoneException} where the stream takes no
 * more of the answer, or nobody waits for it any more. The latter is asked after each {@link Draws#chunk}, and in every tick that
 * gives IDs, but neither between ticks, when the draw waits for its turn, nor within a transaction, which is one draw. Keeps
 * nothing of what was drawn, so that the same one may answer many requests. Immutable, thread-safe.
 */
public final class Answer {
    private static final int BUFFER_BYTES = 64 * 1_024;

    private static final OutputStream NOWHERE = OutputStream.nullOutputStream();

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
        return admitted(admitted -> {
            IdWriter writer = collecting();
            draw(writer, admitted, caller, () -> {});
            writer.finish();
            return writer.bytes();
        });
    }

    /**
     * Draws the whole answer to an order for one ID where that takes no waiting, for a thread that may not wait. Empty where {@link
     * #whole} has to be asked, which waits, or says why nothing is issued: then nothing was drawn, and no listener has heard of it.
     */
    public Optional<byte[]> poll() {
        if (!order.single()) {
            return Optional.empty();
        }
        IdWriter writer = collecting();
        if (!polled(writer)) {
            return Optional.empty();
        }
        draws.listener().issued(writer.written());
        writer.finish();
        return Optional.of(writer.bytes());
    }

    /**
     * Does nothing where there is room beside others, as far as can be told without drawing: then {@link #whole} or {@link #stream} has to
     * be asked. Throws what they would throw where there is none. For a thread that may not wait, of what {@link #poll} does not answer.
     */
    public void requireRoom() {
        try {
            draws.admission().requireRoom(order);
        } catch (BusyException | OverCapacityException e) {
            draws.listener().failed(e);
            throw e;
        }
    }

    /** Whether this is one that {@link #poll} may give. */
    public boolean single() {
        return order.single();
    }

    /** Whether {@link #requireRoom} does nothing now. */
    public boolean hasRoom() {
        return draws.admission().hasRoom(order);
    }

    private boolean polled(IdWriter writer) {
        try {
            return order.poll(draws.generator(), writer);
        } catch (RuntimeException e) {
            draws.listener().failed(e);
            throw e;
        }
    }

    /** A writer whose buffer has room for the whole answer. */
    private IdWriter collecting() {
        byte[] bytes = new byte[Math.toIntExact(longest())];
        return new IdWriter(frame, encoder, bytes, NOWHERE);
    }

    /**
     * Draws and writes by turns, in constant memory. Where IDs come slowly, the stream gets those of each chunk at once, and is
     * flushed; else whenever a buffer is full. When this throws before the stream took a byte, nothing was answered. When this throws
     * later, the stream has a part of the answer, which must not look like the whole.
     */
    public void stream(OutputStream out, Caller caller) {
        var unused = admitted(admitted -> {
            IdWriter writer = new IdWriter(
                    frame, encoder, new byte[BUFFER_BYTES], admitted.batch().sending(out, caller));
            draw(writer, admitted, caller, draws.slow() ? writer::deliver : () -> {});
            writer.finish();
            writer.drain();
            return writer;
        });
    }

    /** Does with the order what is to be done, where it is admitted. */
    private <R> R admitted(Function<Admission.Admitted, R> answer) {
        try (Admission.Admitted admitted = draws.admission().admit(order, draws.listener())) {
            return answer.apply(admitted);
        } catch (RuntimeException e) {
            draws.listener().failed(e);
            throw e;
        }
    }

    /** Between chunks asks whether the caller still waits, and then does what is to be done; after the last, nobody is asked. */
    private void draw(IdWriter writer, Admission.Admitted admitted, Caller caller, Runnable beforeNext) {
        try {
            order.draw(draws.generator().onWait(resting(admitted.waits(), caller)), draws.chunk(), writer, () -> {
                admitted.batch().got(writer.written());
                if (writer.written() < order.ids()) {
                    requirePresent(caller);
                    beforeNext.run();
                }
            });
        } finally {
            draws.listener().issued(writer.written());
        }
    }

    /** Also tells the caller when the draw waits. */
    private static WaitListener resting(WaitListener waits, Caller caller) {
        return new WaitListener() {
            @Override
            public void begins() {
                waits.begins();
                caller.rests();
            }

            @Override
            public void waited(long nanos) {
                waits.waited(nanos);
            }
        };
    }

    private static void requirePresent(Caller caller) {
        if (!caller.waits()) {
            throw new CallerGoneException();
        }
    }
}
