package org.idallocator.bench.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * An answer over HTTP that has a length, or ends with its connection, and comes in parts. Then {@link #clear} it for
 * the next one.
 */
public final class Answer {
    private static final int HEAD = 1_024;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int NAME = "Content-Length: ".length();

    private final byte[] head = new byte[HEAD];
    private int size;
    private long left = -1;
    private boolean endsWithConnection;

    /** Takes what is of this answer out of a buffer, and returns whether that was its end. */
    public boolean take(ByteBuffer part) {
        while (left < 0 && part.hasRemaining()) {
            head[size++] = part.get();
            if (head[size - 1] == '\n' && size > 2 && head[size - 3] == '\n') {
                OptionalLong length = length();
                endsWithConnection = length.isEmpty();
                left = length.orElse(Long.MAX_VALUE);
            }
        }
        int some = (int) Math.min(Math.max(left, 0), part.remaining());
        part.position(part.position() + some);
        left -= some;
        return left == 0;
    }

    /** Of the line whose name is as long, and has a C and, eight on, an L. */
    private OptionalLong length() {
        for (int i = STATUS_AT; i + NAME < size; i++) {
            if (head[i - 1] == '\n' && head[i] == 'C' && head[i + 8] == 'L') {
                return OptionalLong.of(number(i + NAME));
            }
        }
        return OptionalLong.empty();
    }

    private long number(int from) {
        long number = 0;
        for (int at = from; head[at] >= '0' && head[at] <= '9'; at++) {
            number = 10 * number + head[at] - '0';
        }
        return number;
    }

    /** Whether its head has come, and names no length. */
    public boolean endsWithConnection() {
        return endsWithConnection;
    }

    /** Whether its status is 200. */
    public boolean ok() {
        return new String(head, STATUS_AT, 3, StandardCharsets.US_ASCII).equals("200");
    }

    public void clear() {
        size = 0;
        left = -1;
        endsWithConnection = false;
    }

    @Override
    public String toString() {
        return new String(head, 0, size, StandardCharsets.US_ASCII);
    }
}
