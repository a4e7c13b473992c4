package org.idallocator.faults.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.EightByteScheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinesTest {
    private static final String LINE = "0123456789ab0000\n";

    private final List<EightByteId> ids = new ArrayList<>();

    private long read(String text) throws IOException {
        return Lines.read(new Drops(text), new EightByteScheme(0).type(), ids::add);
    }

    /** Gives a few bytes at a time, so that lines come in parts. */
    private static final class Drops extends InputStream {
        private final ByteArrayInputStream bytes;
        private int next;

        Drops(String text) {
            bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            next = next % 40 + 1;
            return bytes.read(buffer, offset, Math.min(length, next));
        }
    }

    @Test
    void shouldReadEveryLineHoweverItComes() throws IOException {
        assertEquals(20_000, read(LINE.repeat(20_000)));
        assertEquals(20_000, ids.size());
        assertEquals(0, read(""));
    }

    @Test
    void shouldKeepWholeLinesOfAnAnswerThatIsCutOff() {
        assertThrows(IOException.class, () -> read(LINE.repeat(3) + "0123"));
        assertEquals(3, ids.size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0123456789ab000\n0",
                "0123456789ab0000 ",
                "0123456789AB0000\n",
                "0123456789ab00g0\n",
                "\n0123456789ab000\n"
            })
    void shouldRefuseWhatIsNoCanonicalText(String line) {
        assertThrows(IdFormatException.class, () -> read(LINE + line));
    }
}
