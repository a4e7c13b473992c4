package org.idallocator.service.draw;

import java.nio.charset.StandardCharsets;

/**
 * The bytes around the IDs of one answer: what stands before the first ID, before the second, before each further one, and
 * after the last. IDs have a fixed length, so the answer's length is known before anything is drawn. Immutable.
 */
final class Frame {
    private final byte[] first;
    private final byte[] second;
    private final byte[] further;
    private final byte[] last;

    private Frame(String first, String second, String further, String last) {
        this.first = ascii(first);
        this.second = ascii(second);
        this.further = ascii(further);
        this.last = ascii(last);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static Frame of(Media media, String scheme, Order order) {
        return switch (media) {
            case TEXT -> new Frame("", "\n", "\n", "\n");
            case NDJSON -> new Frame("\"", "\"\n\"", "\"\n\"", "\"\n");
            case JSON -> json("{\"scheme\":\"" + scheme + "\",", order);
        };
    }

    private static Frame json(String head, Order order) {
        String list = "\"count\":" + order.count() + ",\"ids\":[\"";
        if (order.transaction()) {
            return new Frame(head + "\"transaction\":\"", "\"," + list, "\",\"", "\"]}");
        }
        return order.listed()
                ? new Frame(head + list, "\",\"", "\",\"", "\"]}")
                : new Frame(head + "\"id\":\"", "", "", "\"}");
    }

    /** What stands before the ID that follows {@code written} others. */
    byte[] before(long written) {
        return written == 0 ? first : written == 1 ? second : further;
    }

    byte[] last() {
        return last;
    }

    /** The length of an answer of {@code ids} IDs, 1 or more, of {@code idLength} bytes each. */
    long length(int ids, int idLength) {
        long between = ids == 1 ? 0 : second.length + (ids - 2L) * further.length;
        return first.length + between + last.length + (long) ids * idLength;
    }
}
