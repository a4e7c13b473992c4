package org.idallocator.faults.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.EightByteScheme;
import org.junit.jupiter.api.Test;

class LinesTest {
    private static final String LINE = "0123456789ab0000\n";

    private final List<EightByteId> ids = new ArrayList<>();

    private long read(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Lines.read(new ByteArrayInputStream(bytes), new EightByteScheme(0).type(), ids::add);
    }

    @Test
    void shouldKeepWholeLinesOfAnAnswerThatIsCutOff() throws IOException {
        assertEquals(20_000, read(LINE.repeat(20_000))); // more than what is read at a time
        assertThrows(IOException.class, () -> read(LINE.repeat(3) + "0123"));
        assertEquals(20_003, ids.size());
    }

    @Test
    void shouldRefuseWhatIsNoCanonicalText() {
        for (String line : List.of("0123456789ab000\n0", "0123456789ab0000 ", "0123456789AB0000\n")) {
            assertThrows(IdFormatException.class, () -> read(LINE + line), line);
        }
    }
}
