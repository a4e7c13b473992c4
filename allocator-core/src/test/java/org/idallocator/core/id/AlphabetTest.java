package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Pairs of digits against single ones: the symbols of each alphabet, spelt out here again. */
final class AlphabetTest {
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String NUMBERS = "0123456789";

    static Stream<Arguments> alphabets() {
        return Stream.of(
                of("decimal", Alphabet.DECIMAL, NUMBERS),
                of("lower hex", Alphabet.LOWER_HEX, NUMBERS + "abcdef"),
                of("hex", Alphabet.HEX, NUMBERS + "abcdef"),
                of("upper hex", Alphabet.UPPER_HEX, NUMBERS + "ABCDEF"),
                of("sno", Alphabet.SNO, (NUMBERS + LOWER).substring(2, 34)),
                of("base58", Alphabet.BASE58, (NUMBERS + UPPER + LOWER).replaceAll("[0IOl]", "")),
                of("base64url", Alphabet.BASE64_URL, UPPER + LOWER + NUMBERS + "-_"));
    }

    private static Arguments of(String name, Alphabet alphabet, String symbols) {
        return Arguments.of(Named.of(name, alphabet), symbols);
    }

    /**
     * Every other character, at every place of a group of four and behind it: it is refused by name, where it stands.
     */
    @ParameterizedTest
    @MethodSource("alphabets")
    void shouldNameFirstSymbolThatIsNoDigitWhenRead(Alphabet alphabet, String symbols) {
        String good = symbols.substring(0, 6);
        for (char symbol = 0; symbol < 300; symbol++) {
            String all = symbols + (alphabet.equals(Alphabet.HEX) ? "ABCDEF" : "");
            for (int at = 0; at < good.length() && all.indexOf(symbol) < 0; at++) {
                String text = good.substring(0, at) + symbol + (at < 2 ? "\u20ac" : "") + good.substring(at + 1);
                int end = text.length();
                int position = at;

                IdFormatException refused =
                        assertThrows(IdFormatException.class, () -> alphabet.read("it", text, 0, end));

                assertEquals(position, refused.position());
            }
        }
    }
}
