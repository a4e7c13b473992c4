package org.idallocator.zk.simulation;

import java.util.Objects;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.ForwardingGenerator;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Taken;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.testing.Parts;
import org.jspecify.annotations.Nullable;

/**
 * Draws without one of their safeguards. A generator between the callers and a tenure's generator takes the safeguard
 * out. Each mutant must be caught, or the draws that nothing stands between prove little.
 */
final class DrawMutants {
    private DrawMutants() {}

    /** A draw of one ID takes the next number of the tick in use, whatever the fence says. */
    static DrawMutation withSinglesUnfenced() {
        return new DrawMutation() {
            @Override
            public Generator ofTenure(Serving tenure) {
                return new Unfenced(tenure);
            }
        };
    }

    /** Of the numbers that are taken for the line, each of those in line is given the first ones. */
    static DrawMutation withPartGivenTwice() {
        return new DrawMutation() {
            @Override
            public Generator ofTenure(Serving tenure) {
                return new Repeating(tenure.generator());
            }
        };
    }

    /**
     * Numbers that were taken for the line, and that nobody wanted any more, are given to whoever asks next, whatever
     * the fence says.
     */
    static DrawMutation withLineThatOutlivesItsTenure() {
        return new DrawMutation() {
            @Override
            public TenureSource<Generator> ofAll(TenureSource<Generator> source) {
                return new Outliving(source);
            }
        };
    }

    /** Muids are shared among those in line, although each step takes several ticks of one number each. */
    static DrawMutation withMuidsInLine() {
        return new DrawMutation() {
            @Override
            public Generator ofTenure(Serving tenure) {
                return new InLine(tenure.generator());
            }
        };
    }

    /** Draws after an ID that was seen wait until the clock reaches its tick, and take what comes then. */
    static DrawMutation withoutComparisonWithTheSeenId() {
        return new DrawMutation() {
            @Override
            @SuppressWarnings("unchecked") // the first ID of its tick is of the same type
            public <T extends Id> T compared(T seen) {
                return (T) firstOfTick(seen);
            }
        };
    }

    /** Every ID of the tick sorts after it, but for one that is equal. */
    private static Id firstOfTick(Id id) {
        if (id instanceof Sno) {
            return Sno.first(id.time());
        }
        return id instanceof Muid ? Muid.first(id.time()) : Uid60.first(id.time());
    }

    /** So many of these numbers, after the first {@code from}, whether or not they can be shared. */
    private static Taken part(Taken of, int from, int count) {
        return new Taken(
                of.by(), of.tick(), of.tick(), of.toggle(), of.first() + from, count, of.waitNanos(), of.until());
    }

    private static final class Unfenced extends ForwardingGenerator {
        private final Generator twin;

        /** The twin counts in the same word, under a fence of its own that never trips. */
        Unfenced(Serving tenure) {
            super(tenure.generator());
            Fence own = tenure.fence();
            twin = tenure.scheme()
                    .open(
                            tenure.slot(),
                            Fence.unbounded(
                                    own.clock(),
                                    own.floorTick(),
                                    tenure.scheme().unit().maxTick()));
            Parts.copy("state", Parts.of(tenure.generator(), "sequence"), Parts.of(twin, "sequence"));
        }

        @Override
        public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
            return twin.drawOne(variant, reader);
        }
    }

    private static final class Repeating extends ForwardingGenerator {
        Repeating(Generator generator) {
            super(generator);
        }

        @Override
        public Taken take(int wanted, boolean keep) {
            Taken whole = super.take(wanted, keep);
            Generator by = whole.by();
            return by == null ? whole : by(new FirstOnly(by, whole), whole);
        }
    }

    /** Makes IDs of the first numbers of {@code whole}, whatever part it is given. */
    private static final class FirstOnly extends ForwardingGenerator {
        private final Taken whole;

        FirstOnly(Generator generator, Taken whole) {
            super(generator);
            this.whole = whole;
        }

        @Override
        public int emit(Taken taken, int count, Variant variant, IdSink sink) {
            boolean all = taken.count() == whole.count();
            return super.emit(all ? taken : part(whole, 0, taken.count()), count, variant, sink);
        }
    }

    private static final class Outliving implements TenureSource<Generator> {
        private static final int MORE = 8;

        private final TenureSource<Generator> source;
        private @Nullable Generator current;
        private @Nullable Generator keeping;
        private @Nullable Taken kept;

        Outliving(TenureSource<Generator> source) {
            this.source = source;
        }

        @Override
        public Generator current() {
            Generator now = source.current();
            if (now != current) {
                current = now;
                keeping = new Keeping(now);
            }
            return Objects.requireNonNull(keeping);
        }

        private final class Keeping extends ForwardingGenerator {
            Keeping(Generator generator) {
                super(generator);
            }

            @Override
            public Taken take(int wanted, boolean keep) {
                Taken last = kept;
                Taken all = last == null ? super.take(wanted + MORE, keep) : last;
                int given = Math.min(wanted, all.count());
                boolean more = given < all.count();
                kept = null;
                if (!more || all.tick() != all.lastTick()) {
                    return all;
                }
                kept = part(all, given, all.count() - given);
                return part(all, 0, given);
            }
        }
    }

    private static final class InLine extends ForwardingGenerator {
        private static final int CAPACITY = 64;

        InLine(Generator generator) {
            super(generator);
        }

        @Override
        public int capacity(long tick) {
            return super.capacity(tick) == 1 ? CAPACITY : super.capacity(tick);
        }

        @Override
        public Taken take(int wanted, boolean keep) {
            Taken taken = super.take(wanted, keep);
            return part(taken, 0, taken.count());
        }
    }
}
