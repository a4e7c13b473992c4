package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

final class RandomBitsTest {
    private final Keys keys = new Keys();
    private final RandomBits bits = new RandomBits(keys);

    /** The oracle encrypts the counters one by one, in no mode. */
    @Test
    void shouldBeAesOfCountersUnderFreshKeyInEachBlock() throws GeneralSecurityException {
        for (int block = 0; block < 3; block++) {
            long[] given = LongStream.generate(bits).limit(RandomBits.NUMBERS).toArray();

            assertEquals(block + 1, keys.given.size());
            assertArrayEquals(encryptedCounters(keys.given.get(block)), given);
        }
        assertEquals(3, keys.given.stream().map(Arrays::toString).distinct().count());
    }

    private static long[] encryptedCounters(byte[] key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        long[] numbers = new long[RandomBits.NUMBERS];
        for (int counter = 0; counter < numbers.length / 2; counter++) {
            ByteBuffer encrypted = ByteBuffer.wrap(
                    cipher.doFinal(ByteBuffer.allocate(16).putLong(8, counter).array()));
            numbers[2 * counter] = encrypted.getLong();
            numbers[2 * counter + 1] = encrypted.getLong();
        }
        return numbers;
    }

    @Test
    void shouldHaveKeysOf256BitsAndKeepNone() {
        bits.getAsLong();

        assertEquals(32, keys.given.get(0).length);
        assertArrayEquals(new byte[32], keys.handed.get(0), "erased");
    }

    @Test
    void shouldEraseNumberWhenGiven() {
        long[] numbers = {7, 8};
        RandomBits.Block block = new RandomBits.Block(numbers);

        assertEquals(7, block.give(0));
        assertArrayEquals(new long[] {0, 8}, numbers);
    }

    /** Threads of one stripe, who use up the same blocks together. */
    @Test
    void shouldGiveNothingTwiceWhenThreadsMeet() throws InterruptedException {
        int threads = 4;
        int each = 100_000;
        long[][] drawn = new long[threads][];
        CountDownLatch together = new CountDownLatch(threads);
        List<Thread> drawing = new ArrayList<>();
        while (drawing.size() < threads) {
            int number = drawing.size();
            Thread thread = new Thread(() -> {
                meet(together);
                drawn[number] = LongStream.generate(bits).limit(each).toArray();
            });
            if (thread.getId() % 16 == 0) {
                drawing.add(thread);
            }
        }

        drawing.forEach(Thread::start);
        for (Thread thread : drawing) {
            thread.join();
        }

        assertEquals(
                (long) threads * each,
                Arrays.stream(drawn).flatMapToLong(Arrays::stream).distinct().count());
    }

    private static void meet(CountDownLatch together) {
        together.countDown();
        while (together.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /** Each bit is set in half of the numbers, and equal to the same bit of the number before in half of them: within 6 sigma. */
    @Test
    void shouldSetEachBitHalfOfTheTimeWhenManyAreDrawn() {
        int count = 1 << 16;
        int[] set = new int[Long.SIZE];
        int[] kept = new int[Long.SIZE];
        long before = bits.getAsLong();
        for (int i = 0; i < count; i++) {
            long number = bits.getAsLong();
            for (int bit = 0; bit < Long.SIZE; bit++) {
                set[bit] += (int) (number >>> bit & 1);
                kept[bit] += (int) (~(number ^ before) >>> bit & 1);
            }
            before = number;
        }
        int sixSigma = 6 * (1 << 8) / 2;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            assertTrue(Math.abs(set[bit] - count / 2) < sixSigma, "bit " + bit + " set " + set[bit]);
            assertTrue(Math.abs(kept[bit] - count / 2) < sixSigma, "bit " + bit + " kept " + kept[bit]);
        }
    }

    /** Gives keys that are the same in every run, and remembers them: as they were given, and the arrays themselves. */
    private static final class Keys extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final transient Random random = new Random(1);
        private final transient List<byte[]> given = new ArrayList<>();
        private final transient List<byte[]> handed = new ArrayList<>();

        @Override
        public synchronized void nextBytes(byte[] bytes) {
            random.nextBytes(bytes);
            given.add(bytes.clone());
            handed.add(bytes);
        }
    }
}
