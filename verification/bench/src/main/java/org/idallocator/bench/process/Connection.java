package org.idallocator.bench.process;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection that is kept, on which one request follows the other. For answers with a length. Not thread-safe. */
public final class Connection implements AutoCloseable {
    private static final int BUFFER = 256 * 1_024;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final String LENGTH = "content-length: ";

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];

    /** Connects to a port of this machine; throws {@link UncheckedIOException} where nobody listens. */
    public Connection(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What came back.
     *
     * @param bytes of the body
     */
    public record Answer(int status, long bytes) {

        /** The answer; throws {@link IllegalStateException} where it is none that was wanted. */
        public Answer requireOk(String path) {
            if (status != 200) {
                throw new IllegalStateException(path + " was answered with " + status);
            }
            return this;
        }
    }

    /** Asks, and reads the answer to its end. */
    public Answer get(String path, String accept) {
        try {
            socket.getOutputStream().write(Http.request(path, accept, ""));
            int status = status();
            long length = length();
            skip(length);
            return new Answer(status, length);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** A short answer, with its body. */
    public record Text(int status, String body) {}

    /** Asks for something short. */
    public Text text(String path, String accept) {
        try {
            socket.getOutputStream().write(Http.request(path, accept, ""));
            int status = status();
            byte[] body = in.readNBytes((int) length());
            return new Text(status, new String(body, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    private int status() throws IOException {
        return Integer.parseInt(line().substring(STATUS_AT, STATUS_AT + 3));
    }

    private long length() throws IOException {
        long length = -1;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Long.parseLong(line.substring(LENGTH.length()).strip());
            }
        }
        if (length < 0) {
            throw new IOException("an answer without a length");
        }
        return length;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection was closed within an answer");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private void skip(long bytes) throws IOException {
        for (long left = bytes; left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(left, BUFFER));
            if (read < 0) {
                throw new IOException("cut off, " + left + " bytes before its end");
            }
            left -= read;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
