package org.idallocator.service.fuzz;

import java.util.List;
import java.util.random.RandomGenerator;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.dropwizard.decode.Forms;

/**
 * IDs of any bits that their scheme allows, and texts that are nearly theirs: with characters changed, put in, left out
 * or turned into look-alikes, with signs, prefixes and blanks, cut off, or far too long. The same random numbers make
 * the same texts. Not thread-safe.
 */
final class FuzzedTexts {
    /** The longest text: longer than the line of any request that the service reads. */
    static final int LONGEST = 100_000;

    private static final int LONG = 1_100;

    /** What programs and people put before a number. */
    private static final List<String> BEGINNINGS = List.of(
            "0x", "0X", "\\x", "\\X", "x", "#", "-", "+", "--", "-0", "0", "00", "\u2212", "{", "urn:uuid:", "\ufeff");

    private static final List<String> BLANKS =
            List.of(" ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u200b", "\u0000", "\u0085", "\u2028");

    /** The zeros of other scripts, digits above them, and letters and signs that look like others. */
    private static final List<Integer> ZEROS = List.of(0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce);

    private static final String ODD =
            "\u0000\u0001\u0007\u001b\u007f\u0080\u009b\u00e9\u0130\u0131\u017f\u212a\uff21\uff41\u0430\u0441\u202e\u2010"
                    + "\u2011\u2013\ud800\udfff\ufffd\uffff-_+./:%'\"\\<>{}OoIlzZ";

    private final RandomGenerator random;

    FuzzedTexts(RandomGenerator random) {
        this.random = random;
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** An ID of a scheme. */
    <T extends Id> T id(Scheme<T> scheme) {
        long high = bits();
        long low = bits();
        return switch (scheme.name()) {
            case SnoScheme.NAME -> scheme.type().reader().of(high & 0xffff, low);
            case MuidScheme.NAME -> scheme.type().reader().of(high, low);
            case EightByteScheme.NAME -> scheme.type().reader().of(0, low & ~0xfc00); // without the reserved bits
            case GidScheme.NAME -> {
                long prefixes = (long) any(List.of(GidType.values())).prefix() << 56 | 0x80;
                yield scheme.type().reader().of(prefixes | high << 8 >>> 8, low);
            }
            default -> scheme.type().reader().of(0, low >>> 4);
        };
    }

    /** Also the smallest and the largest. */
    private long bits() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> 1L << random.nextInt(Long.SIZE);
            default -> random.nextLong();
        };
    }

    /** The next text, from that of an ID of one of some schemes. */
    String next(List<Scheme<?>> schemes) {
        StringBuilder text = new StringBuilder(text(any(schemes)));
        for (int changes = random.nextInt(5); changes > 0; changes--) {
            change(text);
        }
        if (oneIn(50)) {
            lengthen(text, LONG);
        } else if (oneIn(2_000)) {
            lengthen(text, LONGEST);
        }
        return text.toString();
    }

    private <T extends Id> String text(Scheme<T> scheme) {
        Form<T> form = any(Forms.all(scheme));
        return form.write().apply(id(scheme));
    }

    private void lengthen(StringBuilder text, int most) {
        String part = text.isEmpty() ? "0" : text.toString();
        int length = random.nextInt(most + 1);
        text.append((oneIn(2) ? part : part.substring(0, 1)).repeat(length / part.length() + 1));
        text.setLength(Math.min(text.length(), length));
    }

    private void change(StringBuilder text) {
        int at = random.nextInt(text.length() + 1);
        boolean inside = at < text.length();
        switch (random.nextInt(12)) {
            case 0 -> text.insert(at, character());
            case 1 -> text.insert(0, any(BEGINNINGS));
            case 2 -> text.insert(oneIn(2) ? 0 : text.length(), any(BLANKS));
            case 3 -> text.insert(at, any(BLANKS));
            case 4 -> text.setLength(at);
            case 5 -> text.delete(0, at);
            case 6 -> swapCases(text, at);
            case 7 -> text.append(text.substring(at));
            default -> {
                if (inside) {
                    changeAt(text, at);
                }
            }
        }
    }

    private void changeAt(StringBuilder text, int at) {
        char symbol = text.charAt(at);
        switch (random.nextInt(5)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setCharAt(at, character());
            case 2 -> text.setCharAt(at, (char) (symbol ^ 1 << random.nextInt(Character.SIZE)));
            case 3 -> text.setCharAt(at, otherCase(symbol));
            default -> {
                int digit = Character.digit(symbol, 10);
                if (digit >= 0) {
                    text.replace(at, at + 1, Character.toString(any(ZEROS) + digit));
                }
            }
        }
    }

    private char character() {
        return oneIn(2) ? (char) (' ' + random.nextInt('~' - ' ' + 1)) : ODD.charAt(random.nextInt(ODD.length()));
    }

    private static void swapCases(StringBuilder text, int from) {
        for (int i = from; i < text.length(); i++) {
            text.setCharAt(i, otherCase(text.charAt(i)));
        }
    }

    private static char otherCase(char symbol) {
        return Character.isUpperCase(symbol) ? Character.toLowerCase(symbol) : Character.toUpperCase(symbol);
    }
}
