package org.idallocator.core.scheme;

import java.security.SecureRandom;
import org.idallocator.core.checkpoint.Checkpoints;
import org.idallocator.core.generator.RandomBits;

/**
 * Where the random bits of this process come from. Processes that go on from one checkpoint draw different ones:
 * nothing of what they come from is in the memory that those have in common.
 */
final class Randomness {
    private static final int SEED_BYTES = 32;

    /** Thread-safe. */
    static final SecureRandom SOURCE = new SecureRandom();

    /** The same at a small part of the cost. Thread-safe. */
    static final RandomBits BITS = new RandomBits(SOURCE);

    static {
        Checkpoints.add(new AcrossCheckpoints());
    }

    private Randomness() {}

    private static final class AcrossCheckpoints implements Checkpoints.Participant {
        @Override
        public void beforeCheckpoint() {
            BITS.keepNothing();
        }

        @Override
        public void afterRestore() {
            SOURCE.setSeed(SOURCE.generateSeed(SEED_BYTES)); // adds to what the source has
            BITS.keepAgain();
        }
    }
}
