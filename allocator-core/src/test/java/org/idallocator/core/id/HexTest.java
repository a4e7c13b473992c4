package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sixteen digits of a number, with Java's own as the oracle. */
class HexTest {
    private static final int DIGITS = 16;

    /** Each digit at each place, among zeros and among the highest digits, and numbers at random. */
    private static LongStream numbers() {
        LongStream singly = IntStream.range(0, DIGITS)
                .boxed()
                .flatMapToLong(place -> LongStream.range(0, DIGITS).map(digit -> digit << (4 * place)));
        return LongStream.concat(singly.flatMap(each -> LongStream.of(each, ~each)), new Random(1).longs(1_000));
    }

    private static String text(byte[] buffer) {
        return new String(buffer, StandardCharsets.US_ASCII);
    }

    @Test
    void shouldWriteAsJavaDoes() {
        numbers().forEach(number -> {
            byte[] buffer = new byte[DIGITS + 2];
            Hex.writeLower(number, buffer, 1);
            assertEquals("\0" + HexFormat.of().toHexDigits(number) + "\0", text(buffer));

            Hex.writeUpper(number, buffer, 1);
            assertEquals("\0" + HexFormat.of().withUpperCase().toHexDigits(number) + "\0", text(buffer));
        });
    }
}
