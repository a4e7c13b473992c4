package org.idallocator.faults.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType;

/** Reads an answer of IDs as strictly as it is specified: each one canonical text and a line feed, nothing else. */
final class Lines {
    private static final int BUFFER_BYTES = 64 * 1_024;

    private Lines() {}

    /**
     * Hands every whole line on as it arrives, so that what an answer gave before it was cut off counts as well.
     *
     * @return how many there were, when the answer has ended
     * @throws org.idallocator.core.id.IdFormatException for a line that is no ID
     * @throws IOException when the answer is cut off, within a line also by its end
     */
    static <T extends Id> long read(InputStream in, IdType<T> type, Consumer<T> sink) throws IOException {
        InputStream buffered = new BufferedInputStream(in, BUFFER_BYTES);
        int length = type.textLength();
        byte[] line = new byte[length + 1];
        for (long count = 0; ; count++) {
            int read = buffered.readNBytes(line, 0, line.length);
            if (read < line.length) {
                if (read > 0) {
                    throw new IOException("the answer ends within a line");
                }
                return count;
            }
            int end = line[length] == '\n' ? length : line.length; // a character too many when it does not end the line
            sink.accept(type.parse().apply(new String(line, 0, end, StandardCharsets.ISO_8859_1)));
        }
    }
}
