package org.idallocator.zk.znode;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;

/**
 * 64 bits for each write of a record. They come from the operating system, not from the state of this process: a copy of the
 * process has that state too. A copy of the whole machine may also have the system's state for a while, so both clocks are mixed in.
 *
 * @param random gives the system's random bits
 * @param clock the one that is mixed in
 */
record WriteBits(LongSupplier random, Clock clock) implements LongSupplier {
    private static final SecureRandom SYSTEM = system();

    WriteBits(Clock clock) {
        this(() -> ByteBuffer.wrap(SYSTEM.generateSeed(Long.BYTES)).getLong(), clock);
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
