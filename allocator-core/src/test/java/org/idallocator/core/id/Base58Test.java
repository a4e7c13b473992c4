package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Numbers around everything that the arithmetic divides by, against BigInteger's digits. */
final class Base58Test {
    private static final String SYMBOLS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger RADIX = BigInteger.valueOf(58);
    private static final BigInteger END_56 = BigInteger.ONE.shiftLeft(56);
    private static final BigInteger END_72 = BigInteger.ONE.shiftLeft(72);

    /** Around each power of 58 and of 2, and multiples of these; and some at random. */
    private static Stream<BigInteger> numbers(BigInteger end) {
        Random random = new Random(1);
        Stream<BigInteger> powers = Stream.concat(
                LongStream.range(0, 13).mapToObj(power -> RADIX.pow((int) power)),
                LongStream.range(0, 73).mapToObj(power -> BigInteger.TWO.pow((int) power)));
        Stream<BigInteger> around = powers.flatMap(power -> LongStream.of(1, 2, 57, 58, 59, 255, 3363, 195_111)
                .mapToObj(factor -> power.multiply(BigInteger.valueOf(factor))));
        return Stream.concat(
                        around.flatMap(
                                one -> LongStream.rangeClosed(-2, 2).mapToObj(off -> one.add(BigInteger.valueOf(off)))),
                        Stream.generate(() -> new BigInteger(end.bitLength() - 1, random))
                                .limit(20_000))
                .filter(number -> number.signum() >= 0 && number.compareTo(end) < 0);
    }

    private static String digits(BigInteger number, int length) {
        StringBuilder digits = new StringBuilder();
        BigInteger rest = number;
        for (int i = 0; i < length; i++) {
            digits.insert(0, SYMBOLS.charAt(rest.mod(RADIX).intValue()));
            rest = rest.divide(RADIX);
        }
        return digits.toString();
    }

    @Test
    void shouldWriteAndReadTenDigitsWhenNumberHas56Bits() {
        numbers(END_56).forEach(number -> {
            byte[] buffer = new byte[12];
            Base58.writeTen(number.longValueExact(), buffer, 1);

            assertEquals("\0" + digits(number, 10) + "\0", new String(buffer, US_ASCII));
            assertEquals(number.longValueExact(), Base58.parse56("it", digits(number, 10), 0, 10));
        });
    }

    @Test
    void shouldWriteAndReadThirteenDigitsWhenNumberHas72Bits() {
        numbers(END_72).forEach(number -> {
            byte[] buffer = new byte[15];
            Base58.write72(number.shiftRight(64).intValueExact(), number.longValue(), buffer, 1);

            assertEquals("\0" + digits(number, 13) + "\0", new String(buffer, US_ASCII));
            Base58.<Gid>parse72("it", "-" + digits(number, 13), 1, 0x7f00, (top, bottom) -> {
                assertEquals(0x7f00 | number.shiftRight(64).longValueExact(), top);
                assertEquals(number.longValue(), bottom);
                return Gid.of(GidType.LOG, 0, 0);
            });
        });
    }

    /** The first number that is too large; {@link GidTest} has the largest. */
    @Test
    void shouldRefuseWhenDigitsSayMoreThanTheBits() {
        for (BigInteger number : List.of(END_72, END_72.add(BigInteger.ONE.shiftLeft(64)))) {
            assertThrows(
                    IdFormatException.class, () -> Base58.<Gid>parse72("it", digits(number, 13), 0, 0, Gid::ofBits));
        }
        assertThrows(IdFormatException.class, () -> Base58.parse56("it", digits(END_56, 10), 0, 10));
    }
}
