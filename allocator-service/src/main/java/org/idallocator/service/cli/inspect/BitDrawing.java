package org.idallocator.service.cli.inspect;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.idallocator.service.api.FieldValue;
import org.idallocator.service.reading.Candidate;

/** An ID's bits in rows of 32, and beside them the letters of the bits' fields; a dot stands for a bit without a field. */
final class BitDrawing {
    private static final int ROW_BITS = 32;
    private static final int GROUP_BITS = 8;
    private static final int RADIX = 16;

    private BitDrawing() {}

    /** The letter that stands for a field, by its index. */
    public static String letter(int field) {
        return String.valueOf((char) ('a' + field));
    }

    /** The drawing, in whole lines. */
    public static String of(Candidate candidate) {
        String bits = bits(candidate);
        String letters = letters(candidate);
        StringBuilder rows = new StringBuilder();
        for (int from = 0; from < bits.length(); from += ROW_BITS) {
            rows.append("%3d  %-35s  %s%n".formatted(from, row(bits, from), row(letters, from)));
        }
        return rows.toString();
    }

    private static String bits(Candidate candidate) {
        String digits = new BigInteger(candidate.reading().hex(), RADIX).toString(2);
        return "0".repeat(candidate.bits() - digits.length()) + digits;
    }

    private static String letters(Candidate candidate) {
        char[] letters = new char[candidate.bits()];
        Arrays.fill(letters, '.');
        List<FieldValue> fields = candidate.reading().fields();
        for (int i = 0; i < fields.size(); i++) {
            List<Integer> bits = fields.get(i).bits();
            Arrays.fill(letters, bits.get(0), bits.get(1) + 1, letter(i).charAt(0));
        }
        return new String(letters);
    }

    private static String row(String all, int from) {
        String row = all.substring(from, Math.min(all.length(), from + ROW_BITS));
        return String.join(" ", row.split("(?<=\\G.{" + GROUP_BITS + "})", 0));
    }
}
