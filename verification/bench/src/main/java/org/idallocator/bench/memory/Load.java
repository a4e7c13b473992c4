package org.idallocator.bench.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.bench.process.Http;
import org.jspecify.annotations.Nullable;

/** Clients that ask for snos as fast as they get them. A client that fails ends the measurement. */
final class Load implements AutoCloseable {
    private static final int CONNECTIONS = 16;
    private static final int LINE = 17;
    private static final int BUFFER = 1 << 16;
    private static final byte[] SINGLE =
            "GET /ids/sno HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int STREAMED = 10_000_000;
    private static final byte[] STREAM =
            Http.request("/ids/sno?count=" + STREAMED).getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final LongAdder bytes = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private volatile boolean closing;

    private Load(int port) {
        this.port = port;
    }

    /** Single snos, on 16 connections that are kept. */
    static Load ofSingles(int port) {
        Load load = new Load(port);
        for (int i = 0; i < CONNECTIONS; i++) {
            load.start(load::askForSingles);
        }
        return load;
    }

    /** Ten million snos an answer, on one connection after the other. */
    static Load ofStream(int port) {
        Load load = new Load(port);
        load.start(load::askForStreams);
        return load;
    }

    private void start(Client client) {
        Thread thread = new Thread(() -> {
            try {
                client.run();
            } catch (IOException e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void askForSingles() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            while (!closing) {
                out.write(SINGLE);
                int read = 0;
                while (read < LINE || buffer[read - 1] != '\n' || buffer[read - LINE - 1] != '\n') {
                    int more = in.read(buffer, read, buffer.length - read);
                    if (more < 0) {
                        throw new IOException("a connection was closed amid an answer");
                    }
                    read += more;
                }
                if (!new String(buffer, 0, LINE, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200 ")) {
                    throw new IOException("no ID: " + new String(buffer, 0, read, StandardCharsets.US_ASCII));
                }
                answers.increment();
            }
        }
    }

    private void askForStreams() throws IOException {
        byte[] buffer = new byte[BUFFER];
        while (!closing) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(STREAM);
                InputStream in = socket.getInputStream();
                long whole = 0;
                int read = in.read(buffer);
                while (read >= 0 && !closing) {
                    bytes.add(read);
                    whole += read;
                    read = in.read(buffer);
                }
                if (read < 0 && whole < (long) STREAMED * LINE) {
                    throw new IOException("a stream ended after " + whole + " bytes");
                }
            }
        }
    }

    /** How many IDs have come so far; of a stream, as many as its bytes hold. */
    long ids() {
        return answers.sum() + bytes.sum() / LINE;
    }

    /** Ends the clients. Throws {@link IllegalStateException} where one of them had failed. */
    @Override
    public void close() {
        closing = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        IOException failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a client has failed", failed);
        }
    }

    /** What a thread of the load does. */
    private interface Client {
        void run() throws IOException;
    }
}
