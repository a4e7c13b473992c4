package org.idallocator.core.generator;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers of 64 bits, of cryptographic quality, at a small part of the cost of asking a {@link SecureRandom} for each.
 * Thread-safe, and threads hardly meet.
 *
 * <p>The numbers come in blocks of {@value #NUMBERS}. A block is a keystream of AES-256 in counter mode under a key of its own,
 * which the {@code SecureRandom} gives. So whoever tells the numbers from random ones, or foretells one from others, has broken
 * AES-256 or the {@code SecureRandom}.
 *
 * <ul>
 *   <li><b>Once</b>: each number is given to one caller.
 *   <li><b>Afterwards</b>: a number is erased when it is given, and no key is kept. So whoever reads the memory of a process
 *       finds what it will give next, as with every generator, but not what it has given: neither block nor key leads back.
 *       (Garbage that the collector has not overwritten yet is not erased. A {@code SecureRandom} leaves such garbage too.)
 *   <li><b>Copies</b>: a Java process cannot fork. Where the image of a running machine is started twice, both copies give the
 *       same numbers until their blocks are used up, at most {@value #NUMBERS} for each of {@value #STRIPES} stripes, which
 *       threads share by their IDs. Gids of both are equal only
 *       where they are drawn in the same millisecond as well.
 * </ul>
 */
public final class RandomBits implements LongSupplier {
    /** How many numbers one key gives. */
    static final int NUMBERS = 512;

    private static final int KEY_BYTES = 32;
    private static final int COUNTER_BYTES = 16;
    private static final int STRIPES = 16; // a power of two
    private static final int APART = 16; // so that two stripes share no cache line

    private final SecureRandom source;
    private final AtomicReferenceArray<@Nullable Block> blocks = new AtomicReferenceArray<>(STRIPES * APART);

    /** {@code source} gives the keys. */
    public RandomBits(SecureRandom source) {
        this.source = source;
    }

    @Override
    public long getAsLong() {
        int stripe = ((int) Thread.currentThread().getId() & (STRIPES - 1)) * APART;
        Block block = blocks.get(stripe);
        int index = block == null ? NUMBERS : block.next.getAndIncrement();
        return block != null && index < NUMBERS ? block.give(index) : refilled(stripe);
    }

    /** The first of new numbers. Where two threads refill at once, the rest of one block is never given. */
    private long refilled(int stripe) {
        Block block = new Block(keystream());
        long first = block.give(block.next.getAndIncrement());
        blocks.set(stripe, block);
        return first;
    }

    /** As no key serves twice, the counter may start at 0. */
    private long[] keystream() {
        byte[] key = new byte[KEY_BYTES];
        source.nextBytes(key);
        byte[] bytes = encrypted(key);
        long[] numbers = new long[NUMBERS];
        ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
        Arrays.fill(key, (byte) 0);
        Arrays.fill(bytes, (byte) 0);
        return numbers;
    }

    private static byte[] encrypted(byte[] key) {
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[COUNTER_BYTES]));
            return cipher.doFinal(new byte[NUMBERS * Long.BYTES]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES in counter mode", e);
        }
    }

    /** Numbers that nobody has yet, from {@code next} on. Whoever moves {@code next} on has the number at its old value alone. */
    static final class Block {
        private final long[] numbers;
        private final AtomicInteger next = new AtomicInteger();

        Block(long[] numbers) {
            this.numbers = numbers;
        }

        /** The number at an index of the caller's own, which is erased. */
        long give(int index) {
            long number = numbers[index];
            numbers[index] = 0;
            return number;
        }
    }
}
