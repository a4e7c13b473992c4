package org.idallocator.service.cli.inspect;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.idallocator.service.reading.UnreadableException;

/**
 * Reads UTF-8 text line by line, in constant memory whatever the input is. Lines end with {@code \n}. White space around a line,
 * such as a {@code \r} before its end, is no part of it. Not thread-safe.
 */
final class LineReader {
    private static final int BUFFER_BYTES = 8_192;
    private static final int END = -1;

    private final InputStream in;
    private final int longest;
    private final Runnable beforeWaiting;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final byte[] line;
    private int position;
    private int limit;
    private long number;

    /**
     * A reader of the lines of an input.
     *
     * @param longest the greatest length of a line, in bytes
     * @param beforeWaiting runs before each read of the input, because a read may block
     */
    public LineReader(InputStream in, int longest, Runnable beforeWaiting) {
        this.in = in;
        this.longest = longest;
        this.beforeWaiting = beforeWaiting;
        this.line = new byte[longest];
    }

    /** The next line, if there is one; throws {@link UnreadableException} when the line is not UTF-8, or is too long. */
    public Optional<String> next() throws IOException {
        int next = read();
        if (next == END) {
            return Optional.empty();
        }
        number++;
        int length = 0;
        for (; next != END && next != '\n'; next = read()) {
            if (length < longest) {
                line[length] = (byte) next;
            }
            length = Math.min(length + 1, longest + 1);
        }
        return Optional.of(text(length));
    }

    /** The number of the line that {@link #next} gave or refused last, from 1. */
    public long number() {
        return number;
    }

    private int read() throws IOException {
        if (position == limit && !fill()) {
            return END;
        }
        return Byte.toUnsignedInt(buffer[position++]);
    }

    private boolean fill() throws IOException {
        beforeWaiting.run();
        position = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }

    private String text(int length) {
        if (length > longest) {
            throw new UnreadableException("longer than " + longest + " bytes");
        }
        CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
        try {
            return strict.decode(ByteBuffer.wrap(line, 0, length)).toString().strip();
        } catch (CharacterCodingException e) {
            throw new UnreadableException("not UTF-8 text", e);
        }
    }
}
