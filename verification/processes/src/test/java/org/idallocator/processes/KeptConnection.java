package org.idallocator.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * A connection to a replica that stays open from request to request, for tests that ask a million times: it takes a
 * tenth of what a client of the JDK takes. Answers must tell their length, and be short. Not thread-safe.
 */
final class KeptConnection implements AutoCloseable {
    private static final int LONGEST_ANSWER = 2_048;
    private static final String OK = "HTTP/1.1 200 ";
    private static final String LENGTH = "\r\nContent-Length: ";
    private static final String HEAD_END = "\r\n\r\n";

    private final Socket socket;
    private final byte[] buffer = new byte[LONGEST_ANSWER];

    KeptConnection(ReplicaProcess replica) {
        URI at = replica.uri("/");
        try {
            socket = new Socket(at.getHost(), at.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The line in the answer to a GET; an {@link AssertionError} where that is another than 200. */
    String line(String pathAndQuery) {
        String request = "GET " + pathAndQuery + " HTTP/1.1\r\nHost: localhost" + HEAD_END;
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = answer();
            if (!answer.startsWith(OK)) {
                throw new AssertionError(pathAndQuery + ": " + answer);
            }
            return answer.substring(answer.indexOf(HEAD_END) + HEAD_END.length())
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(pathAndQuery, e);
        }
    }

    private String answer() throws IOException {
        int length = 0;
        String answer = "";
        while (!isWhole(answer)) {
            int read = socket.getInputStream().read(buffer, length, buffer.length - length);
            if (read <= 0) {
                throw new IOException("the answer ends in its midst, or is too long: " + answer);
            }
            length += read;
            answer = new String(Arrays.copyOf(buffer, length), StandardCharsets.US_ASCII);
        }
        return answer;
    }

    private static boolean isWhole(String answer) {
        int headEnd = answer.indexOf(HEAD_END);
        if (headEnd < 0) {
            return false;
        }
        int from = answer.indexOf(LENGTH) + LENGTH.length();
        int body = Integer.parseInt(answer.substring(from, answer.indexOf("\r\n", from)));
        return answer.length() == headEnd + HEAD_END.length() + body;
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
