package org.idallocator.dropwizard.ids;

import java.nio.charset.StandardCharsets;

/**
 * The bytes around the IDs of one answer: before the first ID, before the second, before each further ID, and after the
 * last. Where the IDs have one length, the length of an answer is known before anything is drawn. Every answer ends
 * with a newline. Immutable.
 */
final class Frame {
    private final byte[] first;
    private final byte[] second;
    private final byte[] further;
    private final byte[] last;

    /**
     * The bytes of an answer.
     *
     * @param first before the first ID
     * @param second before the second
     * @param further before each further one
     * @param last after the last
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

    /** The bytes before an ID that follows {@code written} others. */
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
