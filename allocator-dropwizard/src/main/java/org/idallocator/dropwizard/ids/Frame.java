package org.idallocator.dropwizard.ids;

import java.nio.charset.StandardCharsets;

/**
 * The bytes around the IDs of one answer: before the first ID, before the second, before each further one, and after
 * the last. If all IDs have one length, this gives the answer's length before anything is drawn. Every answer ends with
 * a newline. Immutable.
 */
final class Frame {
    private final byte[] first;
    private final byte[] second;
    private final byte[] further;
    private final byte[] last;

    /**
     * The bytes of an answer, in ASCII.
     *
     * @param first the bytes before the first ID
     * @param second the bytes before the second ID
     * @param further the bytes before each further ID
     * @param last the bytes after the last ID
     */
    Frame(String first, String second, String further, String last) {
        this.first = ascii(first);
        this.second = ascii(second);
        this.further = ascii(further);
        this.last = ascii(last);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The bytes before an ID that follows {@code written} other IDs. */
    byte[] before(long written) {
        return written == 0 ? first : written == 1 ? second : further;
    }

    /** The bytes after the last ID. */
    byte[] last() {
        return last;
    }

    /** The length in bytes of an answer of {@code ids} IDs, 1 or more, of {@code idLength} bytes each. */
    long length(int ids, int idLength) {
        long separators = ids == 1 ? 0 : second.length + (ids - 2L) * further.length;
        return first.length + separators + last.length + (long) ids * idLength;
    }
}
