package org.idallocator.faults.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyTest {
    private static final BigInteger MASK = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

    @Test
    void shouldTurnAndTurnBackByAnyDistance() {
        Random random = new Random(1);
        for (int turn = 0; turn < 128; turn++) {
            long high = random.nextLong();
            long low = random.nextLong();
            Key key = new Key(turn);
            long turnedHigh = key.high(high, low);
            long turnedLow = key.low(high, low);
            BigInteger bits = bits(high, low);
            BigInteger expected =
                    bits.shiftRight(turn).or(bits.shiftLeft(128 - turn).and(MASK));
            assertEquals(expected, bits(turnedHigh, turnedLow));
            assertEquals(
                    bits,
                    bits(key.back().high(turnedHigh, turnedLow), key.back().low(turnedHigh, turnedLow)));
        }
    }

    private static BigInteger bits(long high, long low) {
        return new BigInteger(Long.toHexString(high), 16).shiftLeft(64).or(new BigInteger("%016x".formatted(low), 16));
    }
}
