package org.idallocator.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/** Requests to a program on this machine by hand: no client library has a start of its own in the figures. */
public final class Http {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long PAUSE_NANOS = 3_000_000;
    private static final long LONGEST_NANOS = 120_000_000_000L;

    private Http() {}

    /** A port of the loopback interface on which nobody listens now. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no port is free", e);
        }
    }

    /**
     * Asks for a path again and again, every few milliseconds, until it is answered with 200.
     *
     * @throws IllegalStateException when the process ends before that, or after two minutes
     */
    public static void awaitAnswer(int port, String path, Child process) {
        long fromNanos = System.nanoTime();
        while (!answers(port, path)) {
            process.requireAlive();
            if (System.nanoTime() - fromNanos > LONGEST_NANOS) {
                throw new IllegalStateException(path + " is not answered:\n" + process.printed());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Whether a path is answered with 200. */
    public static boolean answers(int port, String path) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request(path, "*/*", "Connection: close\r\n"));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.startsWith("HTTP/1.1 200 ");
        } catch (IOException e) {
            return false;
        }
    }

    /** A GET; {@code more} are further lines of its head, each with its end. */
    static byte[] request(String path, String accept, String more) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept + "\r\n" + more + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
