package org.idallocator.core.id;

/**
 * Base58 in the Bitcoin alphabet, of numbers of 56 and of 72 bits in a fixed count of digits. bs58 writes the same
 * digits where the first byte is not zero and the number needs that many digits.
 *
 * <p>Design note: this is our own because IDs are written into the caller's buffer without garbage. Measured, a gid
 * takes 1/20 of the time that Base58 of commons-codec takes, which works on arrays of any length; the tests use that as
 * the oracle.
 */
final class Base58 {
    // Constants rather than fields, so that the compiler turns divisions into multiplications.
    private static final int RADIX = 58;
    private static final int PAIR = RADIX * RADIX;
    private static final int BLOCK_DIGITS = 5;
    private static final int BLOCK = PAIR * PAIR * RADIX; // 58^5

    private static final int NARROW_BITS = 56;
    static final int NARROW_DIGITS = 10;
    private static final int WIDE_TOP_BITS = 8;
    private static final int WIDE_DIGITS = 13;

    private static final long BLOCKS = (long) BLOCK * BLOCK; // 58^10, which is 2^10 * 29^10
    private static final int BLOCKS_EVEN_BITS = 10;
    private static final long BLOCKS_ODD = BLOCKS >> BLOCKS_EVEN_BITS; // 29^10
    private static final int WIDE_TOP_SHIFT = Long.SIZE - BLOCKS_EVEN_BITS;

    private static final int FRACTION_BITS = 48;
    private static final long FRACTION = (1L << FRACTION_BITS) - 1;
    /** 2^48 divided by 58^3, rounded up. */
    private static final long BY_CUBE = (1L << FRACTION_BITS) / (PAIR * RADIX) + 1;

    private Base58() {}

    /**
     * Writes {@code top}, 8 bits, followed by {@code bottom} in 13 digits. The number without its lowest ten bits fits
     * a long, and divided by 29^10 gives what the whole number gives divided by 58^10. The remainder is below 58^10, so
     * 64 bits hold it.
     */
    static void write72(int top, long bottom, byte[] buffer, int offset) {
        long upper = (long) top << WIDE_TOP_SHIFT | bottom >>> BLOCKS_EVEN_BITS;
        int first = (int) (upper / BLOCKS_ODD);
        Alphabet.BASE58.writePair(first / RADIX, buffer, offset); // three digits: the pairs overlap
        Alphabet.BASE58.writePair(first % PAIR, buffer, offset + 1);
        writeTen(bottom - first * BLOCKS, buffer, offset + 3);
    }

    /** Writes a number below 58^10 in ten digits. */
    static void writeTen(long value, byte[] buffer, int offset) {
        long upper = value / BLOCK;
        writeBlock(upper, buffer, offset);
        writeBlock(value - upper * BLOCK, buffer, offset + BLOCK_DIGITS);
    }

    /**
     * Writes five digits: two pairs and one. The number divided by 58^3, as a fixed-point number, has the first pair
     * before the point. What is behind the point, times 58^2, gives the next pair, and then times 58 the last digit.
     * The quotient is too large by less than 58^5 / 2^48, which is less than 58^-3, so the error never reaches a digit.
     */
    private static void writeBlock(long block, byte[] buffer, int offset) {
        long upper = block * BY_CUBE;
        long middle = (upper & FRACTION) * PAIR;
        long lower = (middle & FRACTION) * RADIX;
        Alphabet.BASE58.writePair((int) (upper >>> FRACTION_BITS), buffer, offset);
        Alphabet.BASE58.writePair((int) (middle >>> FRACTION_BITS), buffer, offset + 2);
        Alphabet.BASE58.writeDigit((int) (lower >>> FRACTION_BITS), buffer, offset + 4);
    }

    /** Reads a number of at most 56 bits from at most 10 digits. */
    static long parse56(String what, String text, int from, int to) {
        long value = Alphabet.BASE58.read(what, text, from, to);
        if (value >>> NARROW_BITS != 0) {
            throw tooLarge(what, text.substring(from, to), NARROW_BITS);
        }
        return value;
    }

    /**
     * Reads a number of at most 72 bits from the 13 digits from {@code from} on. The reader gets its highest 8 bits,
     * together with the bits of {@code above}, as {@code high}.
     */
    static <T extends Id> T parse72(String what, String text, int from, long above, IdReader<T> reader) {
        int to = from + WIDE_DIGITS;
        long upper = Alphabet.BASE58.read(what, text, from, to - BLOCK_DIGITS);
        long product = upper * BLOCK;
        long bottom = product + Alphabet.BASE58.read(what, text, to - BLOCK_DIGITS, to);
        long carry = Long.compareUnsigned(bottom, product) < 0 ? 1 : 0;
        long top = Math.multiplyHigh(upper, BLOCK) + carry;
        if (top >>> WIDE_TOP_BITS != 0) {
            throw tooLarge(what, text.substring(from, to), Long.SIZE + WIDE_TOP_BITS);
        }
        return reader.of(above | top, bottom);
    }

    private static IdFormatException tooLarge(String what, String digits, int bits) {
        return new IdFormatException("%s part must fit %d bits: %s".formatted(what, bits, digits));
    }
}
