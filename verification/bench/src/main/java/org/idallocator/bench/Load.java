package org.idallocator.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Asks a server on loopback over connections that stay open, each of which asks again when it has the answer. One thread, so that
 * most of the machine is the server's.
 */
final class Load implements AutoCloseable {
    private static final int ANSWER_BYTES = 16 * 1_024;
    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final long PATIENCE_MILLIS = 100;
    private static final byte[] OK = "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII);

    private final Selector selector = Selector.open();
    private final List<Client> clients = new ArrayList<>();

    /** So many connections to a port, which all ask for the same. */
    Load(int port, int connections, String path, String accept) throws IOException {
        byte[] request = request(path, accept, "");
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            Client client = new Client(channel, ByteBuffer.wrap(request));
            channel.register(selector, SelectionKey.OP_READ, client);
            clients.add(client);
        }
    }

    private static byte[] request(String path, String accept, String more) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept + "\r\n" + more + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether a server answers one request with 200. */
    static boolean isAnswered(int port, String path) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request(path, "*/*", "Connection: close\r\n"));
            InputStream answer = socket.getInputStream();
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200 ");
        } catch (IOException e) {
            return false; // it is not there yet
        }
    }

    /** Asks for so long; throws {@link IOException} for any answer but 200. */
    Measured run(long nanos) throws IOException {
        Histogram times = new Histogram(LONGEST_NANOS, 3);
        long begin = System.nanoTime();
        for (Client client : clients) {
            client.ask();
        }
        long now = begin;
        while (now - begin < nanos) {
            selector.select(key -> ((Client) key.attachment()).read(times, true), PATIENCE_MILLIS);
            now = System.nanoTime();
        }
        long answers = times.getTotalCount();
        while (clients.stream().anyMatch(Client::waits)) {
            selector.select(key -> ((Client) key.attachment()).read(times, false), PATIENCE_MILLIS);
        }
        Client.requireFine(clients);
        double seconds = (now - begin) / 1e9;
        return new Measured(answers / seconds, times.getValueAtPercentile(50), times.getValueAtPercentile(99));
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.channel.close();
        }
        selector.close();
    }

    /**
     * What was measured.
     *
     * @param perSecond answers a second
     * @param p50Nanos the time of an answer in the median
     * @param p99Nanos the time within which 99 of 100 answers came
     */
    record Measured(double perSecond, double p50Nanos, double p99Nanos) {}

    /** One connection. */
    private static final class Client {
        private final SocketChannel channel;
        private final ByteBuffer request;
        private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER_BYTES);
        private long askedNanos;
        private boolean waits;
        private String failure = "";

        Client(SocketChannel channel, ByteBuffer request) {
            this.channel = channel;
            this.request = request;
        }

        static void requireFine(List<Client> clients) throws IOException {
            for (Client client : clients) {
                if (!client.failure.isEmpty()) {
                    throw new IOException(client.failure);
                }
            }
        }

        boolean waits() {
            return waits;
        }

        void ask() throws IOException {
            request.rewind();
            channel.write(request); // shorter than any socket's buffer
            askedNanos = System.nanoTime();
            waits = true;
        }

        /** Takes what has come; asks again when that was a whole answer. */
        void read(Histogram times, boolean again) {
            try {
                if (channel.read(answer) < 0) {
                    throw new IOException("the server has closed a connection");
                }
                if (isWhole()) {
                    times.recordValue(System.nanoTime() - askedNanos);
                    answer.clear();
                    waits = false;
                    if (again) {
                        ask();
                    }
                }
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
                waits = false;
                close();
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                failure += "; " + e.getMessage();
            }
        }

        private boolean isWhole() throws IOException {
            int end = answer.position();
            for (int i = 0; i < OK.length; i++) {
                if (i < end && answer.get(i) != OK[i]) {
                    throw new IOException("not answered with 200: " + text(end));
                }
            }
            int length = 0;
            for (int i = OK.length; i + 3 < end; i++) {
                byte each = answer.get(i);
                if (each == '\n' && isLength(i + 1, end)) {
                    length = number(i + 1 + "Content-Length: ".length());
                }
                if (each == '\r' && answer.get(i + 1) == '\n' && answer.get(i + 2) == '\r') {
                    return end == i + 4 + length;
                }
            }
            return false;
        }

        /** Whether a line of that length's name begins there: that one has a C and, eight on, an L. */
        private boolean isLength(int at, int end) {
            return at + 16 < end && answer.get(at) == 'C' && answer.get(at + 8) == 'L';
        }

        private int number(int at) {
            int number = 0;
            for (int i = at; answer.get(i) >= '0' && answer.get(i) <= '9'; i++) {
                number = 10 * number + answer.get(i) - '0';
            }
            return number;
        }

        private String text(int end) {
            byte[] bytes = new byte[end];
            answer.get(0, bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        }
    }
}
