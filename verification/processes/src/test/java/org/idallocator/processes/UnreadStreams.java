package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections on which much is asked for, and whose answers nobody reads. */
final class UnreadStreams implements AutoCloseable {
    private static final int RECEIVE_BUFFER = 4096;

    private final List<Socket> sockets = new ArrayList<>();

    /** Opens so many connections to a port of this machine and asks for a path on each. */
    static UnreadStreams open(int count, int port, String pathAndQuery) {
        UnreadStreams streams = new UnreadStreams();
        byte[] request = ("GET " + pathAndQuery + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < count; i++) {
                streams.open(port).getOutputStream().write(request);
            }
            return streams;
        } catch (IOException e) {
            streams.close();
            throw new UncheckedIOException(e);
        }
    }

    private Socket open(int port) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(RECEIVE_BUFFER);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    /** On how many an answer has begun, be it IDs or a refusal. */
    long answered() {
        return sockets.stream().filter(UnreadStreams::hasAnswer).count();
    }

    private static boolean hasAnswer(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            return true; // it was cut off
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            assertDoesNotThrow(() -> socket.close());
        }
    }
}
