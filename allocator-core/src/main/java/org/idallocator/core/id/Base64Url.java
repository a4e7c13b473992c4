package org.idallocator.core.id;

/** Eight bytes as base64url without padding (RFC 4648, section 5), with the spare bits clear as section 3.5 asks. */
final class Base64Url {
    private static final int LENGTH = 11;
    private static final int LAST = LENGTH - 1;
    private static final int SYMBOL_BITS = 6;
    private static final int SPARE_BITS = LENGTH * SYMBOL_BITS - Long.SIZE;

    private Base64Url() {}

    static long parseLong(String what, String text) {
        Require.length(what, text, LENGTH);
        long start = Alphabet.BASE64_URL.read(what, text, 0, LAST);
        int end = Alphabet.BASE64_URL.digit(what, text, LAST);
        if ((end & Bits.max(SPARE_BITS)) != 0) {
            throw new IdFormatException(
                    "%s must end with spare bits clear: %s at position %d"
                            .formatted(what, Alphabet.quote(text, LAST), LAST),
                    LAST);
        }
        return start << (SYMBOL_BITS - SPARE_BITS) | end >>> SPARE_BITS;
    }
}
