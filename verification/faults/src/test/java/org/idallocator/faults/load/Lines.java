package org.idallocator.faults.load;

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
        int length = type.textLength() + 1;
        byte[] buffer = new byte[BUFFER_BYTES];
        long count = 0;
        int filled = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer, filled, buffer.length - filled)) {
            filled += read;
            int position = 0;
            for (; filled - position >= length; position += length) {
                sink.accept(parse(buffer, position, length, type));
                count++;
            }
            filled -= position;
            System.arraycopy(buffer, position, buffer, 0, filled);
        }
        if (filled > 0) {
            throw new IOException("the answer ends within a line");
        }
        return count;
    }

    private static <T extends Id> T parse(byte[] buffer, int position, int length, IdType<T> type) {
        boolean whole = buffer[position + length - 1] == '\n';
        String text = new String(buffer, position, whole ? length - 1 : length, StandardCharsets.ISO_8859_1);
        return type.parse().apply(text); // with a character too many when it does not end the line
    }
}
