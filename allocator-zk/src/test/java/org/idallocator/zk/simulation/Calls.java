package org.idallocator.zk.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.ForwardingGenerator;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdsAfter;
import org.idallocator.core.generator.LoadBalancer;
import org.idallocator.core.generator.Taken;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.testing.Parts;
import org.idallocator.zk.testing.SmallPool;
import org.jspecify.annotations.Nullable;

/**
 * One scheme of one process, as its callers draw from it: through an {@link IdGenerator}, as programs do, for as long
 * as the process lives. Its tenures come and go meanwhile. Of each ID it knows which tenure's it is, and how it came to
 * its caller.
 */
public final class Calls {
    private final SmallPool<?> scheme;
    private final TenureSource<? extends Generator> source;
    private final Supplier<List<Serving>> serving;
    private final DrawMutation mutation;
    private final IdGenerator<?> ids;
    private final Object lock;
    private final Map<Bits, Drawn> drawn = new HashMap<>();
    private @Nullable Generator current;
    private @Nullable Generator noting;

    /**
     * What callers draw through.
     *
     * @param source what the process draws from
     * @param serving the tenures that {@code source} draws from at the moment
     * @param mutation what stands between callers and the process's generators
     */
    public Calls(
            SmallPool<?> scheme,
            TenureSource<? extends Generator> source,
            Supplier<List<Serving>> serving,
            DrawMutation mutation,
            Duration maxWait,
            Clock clock) {
        this.scheme = scheme;
        this.source = source;
        this.serving = serving;
        this.mutation = mutation;
        this.ids = scheme.generator(mutation.ofAll(this::current), maxWait, clock);
        this.lock = Parts.of(ids, "queue");
    }

    private record Bits(long high, long low) {}

    /** How an ID came to its caller. */
    enum Way {
        /** As a single, by the step that nearly every call takes. */
        ONE_STEP,
        /** The caller took it itself. */
        TAKEN,
        /** Another caller took it, and gave it to those in line. */
        IN_LINE
    }

    /**
     * What is known of an ID.
     *
     * @param of the tenure that it was drawn of
     */
    record Drawn(Serving of, Way way) {}

    SmallPool<?> scheme() {
        return scheme;
    }

    /** What callers draw through. */
    IdGenerator<?> ids() {
        return ids;
    }

    /** Draws of IDs that are to sort after this one of the scheme, which a caller has seen. */
    IdsAfter<?> after(Id seen) {
        return after(ids, seen);
    }

    @SuppressWarnings("unchecked") // the ID is of the scheme, and so of the type of the generator's
    private <T extends Id> IdsAfter<T> after(IdGenerator<T> from, Id seen) {
        return from.after(mutation.compared((T) seen));
    }

    /** What serves now. Its fence may have tripped. */
    List<Serving> serving() {
        return serving.get();
    }

    /** The object whose lock callers hold while they take numbers for all that stand in line, and read clocks. */
    Object lock() {
        return lock;
    }

    /** What is known of an ID that a caller has received, given as bits. */
    Drawn drawn(long high, long low) {
        return Objects.requireNonNull(drawn.get(new Bits(high, low)));
    }

    /**
     * What the process draws from now, as a generator that notes whose its IDs are: the same for as long as that is the
     * same.
     */
    private Generator current() {
        Generator now = source.current();
        Generator last = noting;
        if (last == null || now != current) {
            last = now instanceof LoadBalancer
                    ? new LoadBalancer(serving.get().stream().map(Noting::new).toList())
                    : serving.get().stream()
                            .filter(tenure -> tenure.generator() == now)
                            .map(Noting::new)
                            .findFirst()
                            .orElseThrow();
            current = now;
            noting = last;
        }
        return last;
    }

    /** The generator of a tenure. It notes of each ID that it is the tenure's. */
    private final class Noting extends ForwardingGenerator {
        private final Serving tenure;

        Noting(Serving tenure) {
            super(mutation.ofTenure(tenure));
            this.tenure = tenure;
        }

        @Override
        public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
            T id = super.drawOne(variant, reader);
            if (id != null) {
                note(id.high(), id.low(), Way.ONE_STEP);
            }
            return id;
        }

        @Override
        public Taken take(int wanted, boolean keep) {
            Taken taken = super.take(wanted, keep);
            Generator by = taken.by();
            return by == null ? taken : by(new Step(by, this), taken);
        }

        void note(long high, long low, Way way) {
            drawn.put(new Bits(high, low), new Drawn(tenure, way));
        }
    }

    /** What one caller took at once, for itself or for those in line. */
    private static final class Step extends ForwardingGenerator {
        private final Noting tenure;
        private final Thread taker = Thread.currentThread();

        Step(Generator by, Noting tenure) {
            super(by);
            this.tenure = tenure;
        }

        @Override
        public int emit(Taken taken, int count, Variant variant, IdSink sink) {
            Way way = taker == Thread.currentThread() ? Way.TAKEN : Way.IN_LINE;
            return super.emit(taken, count, variant, (high, low) -> {
                tenure.note(high, low, way);
                sink.accept(high, low);
            });
        }
    }
}
