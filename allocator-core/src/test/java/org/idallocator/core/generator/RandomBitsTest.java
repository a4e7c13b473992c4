package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
        int[] sizes = {64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 8_192, 8_192};
        for (int block = 0; block < sizes.length; block++) {
            long[] given = LongStream.generate(bits).limit(sizes[block]).toArray();

            assertArrayEquals(encryptedCounters(keys.given.get(block), sizes[block]), given);
            assertEquals(block + 2, keys.given.size(), "those used, and the next");
        }
        assertEquals(
                sizes.length + 1,
                keys.given.stream().map(Arrays::toString).distinct().count());
    }

    private static long[] encryptedCounters(byte[] key, int count) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        long[] numbers = new long[count];
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

        for (int i = 0; i < 2; i++) {
            assertEquals(32, keys.given.get(i).length);
            assertArrayEquals(new byte[32], keys.handed.get(i), "erased");
        }
    }

    /**
     * The cipher has forgotten the key of a block before the first number of the block is given: it encrypts under the
     * next one.
     */
    @Test
    void shouldHaveNextKeyAloneWhenBlockIsMade() throws GeneralSecurityException {
        RandomBits.Block block = new RandomBits.Block(keys);

        for (int i = 0; i < RandomBits.FEWEST; i++) {
            block.next();
        }

        assertEquals(encryptedCounters(keys.given.get(1), 2)[0], block.next());
        assertEquals(3, keys.given.size());
    }

    @Test
    void shouldEraseNumberWhenGiven() {
        RandomBits.Block block = new RandomBits.Block(keys);

        assertNotEquals(0, block.next());
        ByteBuffer left = ByteBuffer.wrap(block.numbers);
        assertEquals(0, left.getLong(), "erased");
        assertEquals(left.getLong(), block.next(), "kept until then");
    }

    /** The source fails when the next key is drawn: what was made under the key before is never given. */
    @Test
    void shouldBeginWithFreshKeyWhenSourceHasFailed() throws GeneralSecurityException {
        assertEquals(
                RandomBits.FEWEST,
                LongStream.generate(bits).limit(RandomBits.FEWEST).distinct().count());
        keys.failing = true;
        assertThrows(IllegalStateException.class, bits::getAsLong);
        assertThrows(IllegalStateException.class, bits::getAsLong);
        keys.failing = false;

        long[] given = LongStream.generate(bits).limit(10).toArray();

        assertArrayEquals(encryptedCounters(keys.given.get(2), 10), given);
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

    /** Two that have the same keys and blocks are what two processes have that go on from one checkpoint. */
    @Test
    void shouldGiveOtherNumbersInEachProcessThatGoesOnFromACheckpoint() {
        Keys ofOther = new Keys();
        RandomBits other = new RandomBits(ofOther);
        int before = 10;
        for (int i = 0; i < before; i++) {
            assertEquals(bits.getAsLong(), other.getAsLong(), "they are copies");
        }

        bits.keepNothing();
        other.keepNothing();
        assertNotEquals(bits.getAsLong(), other.getAsLong(), "the operating system's own");
        assertEquals(2, keys.given.size(), "no key of those that copies have");
        keys.random.setSeed(2);
        ofOther.random.setSeed(3);
        bits.keepAgain();
        other.keepAgain();

        long each = 2L * RandomBits.MOST;
        assertEquals(
                2 * each,
                LongStream.concat(
                                LongStream.generate(bits).limit(each),
                                LongStream.generate(other).limit(each))
                        .distinct()
                        .count());
    }

    /** Gives keys that are the same in every run, and remembers them: as they were given, and the arrays themselves. */
    private static final class Keys extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final transient Random random = new Random(1);
        private final transient List<byte[]> given = new ArrayList<>();
        private final transient List<byte[]> handed = new ArrayList<>();
        private boolean failing;

        @Override
        public synchronized void nextBytes(byte[] bytes) {
            if (failing) {
                throw new IllegalStateException("no entropy");
            }
            random.nextBytes(bytes);
            given.add(bytes.clone());
            handed.add(bytes);
        }
    }
}
