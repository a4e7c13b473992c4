package org.idallocator.service.ids;

import java.nio.charset.StandardCharsets;

/**
 * The bytes around the IDs of one answer: before the first ID, before the second, before each further ID, and after the last.
 * Where the IDs have one length, the length of an answer is known before anything is drawn. Every answer ends with a newline.
 * Immutable.
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

    static Frame of(Media media, IdRequest<?> request) {
        return switch (media) {
            case TEXT -> new Frame("", "\n", "\n", "\n");
            case NDJSON -> new Frame("\"", "\"\n\"", "\"\n\"", "\"\n");
            case JSON -> json("{\"scheme\":\"" + request.scheme().name() + "\",", request);
        };
    }

    private static Frame json(String head, IdRequest<?> request) {
        String list = "\"count\":" + request.count() + ",\"ids\":[\"";
        if (request.transaction()) {
            return new Frame(head + "\"transaction\":\"", "\"," + list, "\",\"", "\"]}\n");
        }
        return request.listed()
                ? new Frame(head + list, "\",\"", "\",\"", "\"]}\n")
                : new Frame(head + "\"id\":\"", "", "", "\"}\n");
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
        long between = ids == 1 ? 0 : second.length + (ids - 2L) * further.length;
        return first.length + between + last.length + (long) ids * idLength;
    }
}
