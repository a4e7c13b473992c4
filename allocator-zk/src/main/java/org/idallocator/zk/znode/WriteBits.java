package org.idallocator.zk.znode;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;

/**
 * 64 bits for each write of a record. They come from the operating system, not from the state of this process: a copy
 * of the process has that state too. A copy of the whole machine may also have the system's state for a while, so both
 * clocks are mixed in.
 */
final class WriteBits implements LongSupplier {
    private static final SecureRandom SYSTEM = system();

    private final LongSupplier random;
    private final Clock clock;

    /** {@code clock} has both clocks that are mixed in. */
    WriteBits(Clock clock) {
        this(() -> ByteBuffer.wrap(SYSTEM.generateSeed(Long.BYTES)).getLong(), clock);
    }

    /** The same, where {@code random} gives the system's random bits. */
    WriteBits(LongSupplier random, Clock clock) {
        this.random = random;
        this.clock = clock;
    }

    /** One that reads the system's random bits each time, and never waits for them. */
    private static SecureRandom system() {
        try {
            return SecureRandom.getInstance("NativePRNGNonBlocking");
        } catch (NoSuchAlgorithmException e) {
            return new SecureRandom(); // Windows: seeds are the system's there, too
        }
    }

    @Override
    public long getAsLong() {
        return mixed(mixed(random.getAsLong() ^ clock.micros()) ^ clock.nanos());
    }

    /** Another number for each number, in which each bit depends on all. */
    private static long mixed(long bits) {
        return new SplittableRandom(bits).nextLong();
    }
}
