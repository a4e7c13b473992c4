package org.idallocator.core.generator;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers of 64 bits of cryptographic quality: AES-256 in counter mode, each 512 of them under a key of its own, fresh from a
 * {@link SecureRandom}. One number costs a small part of what a call of that costs. Each number is given once. Thread-safe, and
 * threads hardly meet.
 */
public final class RandomBits implements LongSupplier {
    private static final int NUMBERS = 512;
    private static final int KEY_BYTES = 32;
    private static final int COUNTER_BYTES = 16;
    private static final int STRIPES = 16; // a power of two
    private static final int APART = 16; // so that two stripes share no cache line

    private final SecureRandom source;
    private final AtomicReferenceArray<@Nullable Block> blocks = new AtomicReferenceArray<>(STRIPES * APART);

    public RandomBits(SecureRandom source) {
        this.source = source;
    }

    @Override
    public long getAsLong() {
        int stripe = ((int) Thread.currentThread().getId() & (STRIPES - 1)) * APART;
        Block block = blocks.get(stripe);
        int index = block == null ? NUMBERS : block.next.getAndIncrement();
        return index < NUMBERS ? block.numbers.get(index) : refilled(stripe);
    }

    /** The first of new numbers. Where two threads refill at once, the rest of one block is never given. */
    private long refilled(int stripe) {
        Block block = new Block(ByteBuffer.wrap(keystream()).asLongBuffer(), new AtomicInteger(1));
        blocks.set(stripe, block);
        return block.numbers.get(0);
    }

    /** As no key serves twice, the counter may start at 0. */
    private byte[] keystream() {
        byte[] key = new byte[KEY_BYTES];
        source.nextBytes(key);
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[COUNTER_BYTES]));
            return cipher.doFinal(new byte[NUMBERS * Long.BYTES]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES in counter mode", e);
        }
    }

    /** {@code next} is the index of the number that nobody has yet. */
    private record Block(LongBuffer numbers, AtomicInteger next) {}
}
