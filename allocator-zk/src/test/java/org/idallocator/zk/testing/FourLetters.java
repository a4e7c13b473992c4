package org.idallocator.zk.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** ZooKeeper's four-letter commands. */
final class FourLetters {
    private static final int TIMEOUT_MILLIS = 1_000;

    private FourLetters() {}

    /** What the server on this port answers; empty when it does not. */
    static Optional<String> ask(int port, String command) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return Optional.of(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
