package org.idallocator.core.generator;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;

/**
 * Draws Graft identifiers. They need no slot: 64 random bits in each millisecond keep them apart, so they are as unique
 * as chance makes them and no more. The variant is a {@link #type}.
 *
 * <p>No capacity can be used up, so draws never wait. When the clock steps back, earlier times come again, with other
 * random bits. Nothing fences this generator.
 *
 * <p>{@code LocalIds} and {@code IdAllocator} draw from {@code GidScheme}'s generators. Their random bits are those of
 * {@link RandomBits}: as hard to guess as AES-256 under keys from a {@link java.security.SecureRandom}. The time is the
 * clock's {@link Clock#recentMicros} when a call begins, for all IDs of that call. On the machine's clock, the time is
 * right within a millisecond then, except in the millisecond after the wall clock has jumped.
 */
public final class GidGenerator implements Generator {
    public static final TickUnit UNIT = new TickUnit(0, 1_000, 48);

    private static final String PARAMETER = "type";
    private static final List<GidType> TYPES = List.of(GidType.values());

    private final LongSupplier random;
    private final Clock clock;

    /** {@code random} must be thread-safe, and must give 64 bits from a cryptographic source. */
    public GidGenerator(LongSupplier random, Clock clock) {
        this.random = random;
        this.clock = clock;
    }

    /** The variant that gives IDs of a type. */
    public static Variant type(GidType type) {
        return new Variant(PARAMETER, TYPES.indexOf(type));
    }

    /** The type of the IDs that a variant gives; empty where it names none. */
    public static Optional<GidType> typeOf(Variant variant) {
        return variant.parameter().equals(PARAMETER) ? Optional.of(TYPES.get(variant.number())) : Optional.empty();
    }

    @Override
    public <T extends Id> T drawOne(Variant variant, IdReader<T> reader) {
        return reader.of(highBits(variant), random.getAsLong());
    }

    private long highBits(Variant variant) {
        variant.requireOf(PARAMETER);
        return Gid.highBits(TYPES.get(variant.number()), UNIT.tickAt(clock.recentMicros(clock.nanos())));
    }

    /** As many as are wanted: what keeps gids apart is random, and comes with {@link #emit}. */
    @Override
    public Taken take(int wanted, boolean keep) {
        return new Taken(this, 0, 0, 0, 0, wanted, 0, Taken.Until.NEXT_TICK);
    }

    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        long high = highBits(variant);
        for (int i = 0; i < taken.count(); i++) {
            sink.accept(high, random.getAsLong());
        }
        return taken.count();
    }

    @Override
    public int numbers(int count, Variant variant) {
        return Bounds.count(count);
    }

    /** Always {@code now}: draws wait for no tick, whatever the clock did. */
    @Override
    public long dueTick(long now) {
        return now;
    }

    /** Without effect: there is no tenure that could end. */
    @Override
    public long close() {
        return 0;
    }
}
