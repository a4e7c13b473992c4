package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.idallocator.core.testing.HangGuard;

/** A client that sends a request and reads little of the answer, or nothing, so that the answer cannot be sent. */
final class SlowReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 4_096;

    /** How the body of an answer in chunks ends when it is whole. */
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private final Socket socket = new Socket();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    private SlowReader(URI uri, String request) throws IOException {
        socket.setReceiveBufferSize(BUFFER_BYTES);
        socket.setSoTimeout((int) HangGuard.TIME.toMillis());
        socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    /** Sends a GET for what is at the address. */
    static SlowReader of(URI uri) {
        return sending(uri, "GET " + uri.getPath() + "?" + uri.getQuery() + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** Sends a request as it is, which need not be a whole one. */
    static SlowReader sending(URI uri, String request) {
        return assertDoesNotThrow(() -> new SlowReader(uri, request));
    }

    /** Reads so many bytes, or as many as there are; returns whether the connection is still open. */
    boolean read(int bytes) {
        try {
            byte[] some = socket.getInputStream().readNBytes(bytes);
            read.write(some);
            return some.length == bytes;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reads all that still comes, and says whether that ends as a whole answer does. An answer may also end by a reset.
     */
    boolean endsWhole() {
        try {
            InputStream rest = socket.getInputStream();
            rest.transferTo(read);
        } catch (IOException e) {
            return false;
        }
        return read.toString(StandardCharsets.ISO_8859_1).endsWith(LAST_CHUNK);
    }

    /** What was read so far begins with this. */
    boolean begins(String expected) {
        return read.toString(StandardCharsets.ISO_8859_1).startsWith(expected);
    }

    /** Whether an answer has begun that nobody has read, be it IDs or a refusal, or the connection was cut off. */
    boolean answered() {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        assertDoesNotThrow(() -> socket.close());
    }
}
