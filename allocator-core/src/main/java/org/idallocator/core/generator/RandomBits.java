package org.idallocator.core.generator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers of 64 bits, of cryptographic quality, at a small part of the cost of asking a {@link SecureRandom} for
 * each, and nearly without garbage. Thread-safe, and threads hardly meet.
 *
 * <p>The numbers come in blocks. A block is a keystream of AES-256 in counter mode under a key of its own, which the
 * {@code SecureRandom} gives. So whoever tells the numbers from random ones, or foretells one from others, has broken
 * AES-256 or the {@code SecureRandom}. The first block has {@value #FEWEST} numbers, so that the first number comes
 * soon, and each following one twice as many, up to {@value #MOST}.
 *
 * <p>Each of {@value #STRIPES} stripes has a block, which one thread at a time uses: threads whose IDs differ in their
 * lowest bits do not meet.
 *
 * <ul>
 *   <li><b>Once</b>: each number is given to one caller.
 *   <li><b>Afterwards</b>: a number is erased when it is given, and a key when its block is made: the cipher gets the
 *       key of the next block then. So whoever reads the memory of a process finds what it will give next, as with
 *       every generator, but not what it has given: neither block nor key leads back. (Garbage that the collector has
 *       not overwritten yet is not erased. A {@code SecureRandom} leaves such garbage too.)
 *   <li><b>Copies</b>: a Java process cannot fork. Where the image of a running machine is started twice, both copies
 *       give the same numbers until their blocks and those of the next keys are used up, at most {@value #MOST} and
 *       {@value #MOST} for each stripe, and for longer where the {@code SecureRandom} gives both the same keys. Gids of
 *       both are equal only where they are drawn in the same millisecond as well. Whoever knows of a copy before it is
 *       made has this {@linkplain #keepNothing keep nothing} meanwhile, and the source take a new seed in each copy.
 * </ul>
 */
public final class RandomBits implements LongSupplier {
    /** How many numbers the first key of a stripe gives, and how many a key gives at most. */
    static final int FEWEST = 64;

    static final int MOST = 8_192;
    static final int STRIPES = 16; // a power of two

    private final Block[] blocks;

    /**
     * {@code source} gives the keys. Draws throw {@link IllegalStateException} in a Java without AES in counter mode.
     */
    public RandomBits(SecureRandom source) {
        blocks = IntStream.range(0, STRIPES).mapToObj(i -> new Block(source)).toArray(Block[]::new);
    }

    @Override
    public long getAsLong() {
        return number((int) Thread.currentThread().getId());
    }

    /**
     * From now on this keeps nothing that a copy of the process would give as well: each number is the operating
     * system's own, for as long as none are kept.
     */
    public void keepNothing() {
        Arrays.stream(blocks).forEach(Block::keepNothing);
    }

    /** Keeps blocks of numbers again, under keys that the source gives from now on. */
    public void keepAgain() {
        Arrays.stream(blocks).forEach(Block::keepAgain);
    }

    /** A number of the stripe that belongs to {@code own}. */
    long number(int own) {
        return blocks[own & STRIPES - 1].next();
    }

    /** Numbers of one key at a time. Thread-safe. */
    static final class Block {
        private static final int KEY_BYTES = 32;
        private static final int COUNTER_BYTES = 16;
        /** So short that the cipher is soon called often enough to be compiled. */
        private static final byte[] ZEROS = new byte[512 * Long.BYTES];

        private static final IvParameterSpec FROM_ZERO = new IvParameterSpec(ZEROS, 0, COUNTER_BYTES);
        private static final VarHandle NUMBER =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

        private final SecureRandom source;
        byte[] numbers = {};
        private @Nullable Cipher withNextKey;
        /**
         * Is locked, and says in its first place how many numbers are left; so long that threads hardly share a cache
         * line.
         */
        private final int[] left = new int[64];

        private boolean keepsNothing; // guarded by left

        Block(SecureRandom source) {
            this.source = source;
        }

        /** The next number; erases it. */
        long next() {
            synchronized (left) {
                if (left[0] == 0) {
                    if (keepsNothing) {
                        return ByteBuffer.wrap(source.generateSeed(Long.BYTES)).getLong();
                    }
                    left[0] = refill();
                }
                int at = numbers.length - left[0]-- * Long.BYTES; // whatever is thrown now, no number is given twice
                long number = (long) NUMBER.get(numbers, at);
                NUMBER.set(numbers, at, 0L);
                return number;
            }
        }

        void keepNothing() {
            synchronized (left) {
                keepsNothing = true;
                left[0] = 0;
                withNextKey = null;
                Arrays.fill(numbers, (byte) 0);
            }
        }

        void keepAgain() {
            synchronized (left) {
                keepsNothing = false;
            }
        }

        /**
         * Makes new numbers in place of those before, which were given, and returns how many. Where this throws, none
         * of the new ones may be given.
         */
        private int refill() {
            try {
                Cipher cipher = withNextKey == null ? withNewKey(Cipher.getInstance("AES/CTR/NoPadding")) : withNextKey;
                withNextKey = null; // where anything fails, the key is dropped with all it has made
                if (numbers.length < MOST * Long.BYTES) {
                    numbers = new byte[Math.max(FEWEST * Long.BYTES, 2 * numbers.length)];
                }
                fill(cipher);
                withNextKey = withNewKey(cipher);
                return numbers.length / Long.BYTES;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no AES in counter mode", e);
            }
        }

        private void fill(Cipher cipher) throws GeneralSecurityException {
            int piece = Math.min(numbers.length, ZEROS.length);
            int made = 0;
            for (int at = 0; at < numbers.length; at += piece) {
                made += cipher.update(ZEROS, 0, piece, numbers, made);
            }
            if (made < numbers.length) {
                made += cipher.doFinal(numbers, made); // a cipher may hold back its last block until then
            } else {
                cipher.update(ZEROS, 0, 1); // a cipher keeps what it encrypted last, and nobody gets this
            }
            if (made != numbers.length) { // what was not made would be given as 0
                throw new IllegalStateException("AES in counter mode gave " + made + " bytes for " + numbers.length);
            }
        }

        /** Makes the cipher forget its key. As no key serves twice, the counter may start at 0. */
        private Cipher withNewKey(Cipher cipher) throws GeneralSecurityException {
            byte[] key = new byte[KEY_BYTES];
            source.nextBytes(key);
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), FROM_ZERO);
            Arrays.fill(key, (byte) 0);
            return cipher;
        }
    }
}
