package org.idallocator.service.cli.inspect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.idallocator.service.reading.UnreadableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LineReaderTest {
    private static final int LONGEST = 8;

    static List<Arguments> inputs() {
        return List.of(
                Arguments.of("", List.of()),
                Arguments.of("a", List.of("1 a")),
                Arguments.of("a\n", List.of("1 a")),
                Arguments.of("a\nb", List.of("1 a", "2 b")),
                Arguments.of("a\r\nb\r\n", List.of("1 a", "2 b")),
                Arguments.of("\n \t\n\r\n a \n", List.of("1 ", "2 ", "3 ", "4 a")),
                Arguments.of("12345678\n123456789\n1", List.of("1 12345678", "2: longer than 8 bytes", "3 1")),
                Arguments.of("123456789", List.of("1: longer than 8 bytes")),
                Arguments.of("a\n\u00ff\nb\n", List.of("1 a", "2: not UTF-8 text", "3 b")),
                Arguments.of("\u00c3\u00a4\n\u0000\n", List.of("1 \u00e4", "2 \u0000")));
    }

    /** {@code input} stands for bytes. */
    @ParameterizedTest
    @MethodSource("inputs")
    void shouldGiveLinesWithTheirNumbers(String input, List<String> lines) throws IOException {
        assertEquals(lines, lines(new ByteArrayInputStream(input.getBytes(ISO_8859_1))));
    }

    private static List<String> lines(InputStream in) throws IOException {
        LineReader reader = new LineReader(in, LONGEST, () -> {});
        List<String> lines = new ArrayList<>();
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            try {
                next = reader.next();
                next.ifPresent(line -> lines.add(reader.number() + " " + line));
            } catch (UnreadableException e) {
                lines.add(reader.number() + ": " + e.getMessage());
            }
        }
        return lines;
    }

    @Test
    void shouldSkipALineHoweverLongItIs() throws IOException {
        assertEquals(List.of("1: longer than 8 bytes"), lines(new Endless(64L << 20)));
    }

    @Test
    void shouldSayThatItWaitsBeforeItReads() throws IOException {
        List<String> events = new ArrayList<>();
        InputStream in = new ByteArrayInputStream(new byte[] {'a', '\n', 'b', '\n'}) {
            @Override
            public synchronized int read(byte[] buffer, int offset, int length) {
                events.add("read");
                return super.read(buffer, offset, Math.min(length, 2));
            }
        };
        LineReader reader = new LineReader(in, LONGEST, () -> events.add("wait"));
        while (reader.next().map(events::add).isPresent()) {}

        assertEquals(List.of("wait", "read", "a", "wait", "read", "b", "wait", "read"), events);
    }

    /** A line of any length, which is nowhere in memory. */
    private static final class Endless extends InputStream {
        private long left;

        Endless(long left) {
            this.left = left;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("one byte at a time");
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            int given = (int) Math.min(left, length);
            Arrays.fill(buffer, offset, offset + given, (byte) 'x');
            left -= given;
            return given == 0 ? -1 : given;
        }
    }
}
