package org.idallocator.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Asks a server on loopback over connections that stay open, each of which asks again when it has the answer. One
 * thread, so that most of the machine is the server's.
 */
public final class Load implements AutoCloseable {
    private static final int ANSWER_BYTES = 16 * 1_024;
    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final long PATIENCE_MILLIS = 100;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(ANSWER_BYTES);
    private final Selector selector;
    private final List<Client> clients = new ArrayList<>();

    private Load(Selector selector) {
        this.selector = selector;
    }

    /** So many connections to a server, which all ask for the same. */
    public static Load on(Server server, int connections, String path, String accept) {
        try {
            Load load = new Load(Selector.open());
            for (int i = 0; i < connections; i++) {
                load.connect(server.port(), Http.request(path, accept, ""));
            }
            return load;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void connect(int port, byte[] request) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        Client client = new Client(channel, ByteBuffer.wrap(request));
        channel.register(selector, SelectionKey.OP_READ, client);
        clients.add(client);
    }

    /**
     * Asks for so long; throws {@link UncheckedIOException} for any answer but 200.
     *
     * @param leadNanos for how long it asks before that, because what a tick holds is there at once for who begins to
     *     ask
     */
    public Measured run(long leadNanos, long nanos) {
        try {
            return measured(leadNanos, nanos);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Measured measured(long leadNanos, long nanos) throws IOException {
        Histogram times = new Histogram(LONGEST_NANOS, 3);
        for (Client client : clients) {
            client.ask();
        }
        if (leadNanos > 0) {
            askFor(leadNanos, times);
            times.reset();
        }
        long begin = System.nanoTime();
        long now = askFor(nanos, times);
        long answers = times.getTotalCount();
        while (clients.stream().anyMatch(Client::waits)) {
            selector.select(key -> ((Client) key.attachment()).read(buffer, times, false), PATIENCE_MILLIS);
        }
        Client.requireFine(clients);
        double seconds = (now - begin) / 1e9;
        return new Measured(
                answers, answers / seconds, times.getValueAtPercentile(50) / 1e6, times.getValueAtPercentile(99) / 1e6);
    }

    /** Returns when the time is over. */
    private long askFor(long nanos, Histogram times) throws IOException {
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < nanos) {
            selector.select(
                    key -> ((Client) key.attachment()).read(buffer, times, true),
                    Math.min(PATIENCE_MILLIS, millis(nanos - (now - begin))));
            now = System.nanoTime();
        }
        return now;
    }

    /** Rounded up: 0 would be for ever. */
    private static long millis(long nanos) {
        return nanos / 1_000_000 + 1;
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What was measured.
     *
     * @param answers how many came in the time
     * @param perSecond answers a second
     * @param p50Millis the time of an answer in the median
     * @param p99Millis the time within which 99 of 100 answers came
     */
    public record Measured(long answers, double perSecond, double p50Millis, double p99Millis) {}

    /** One connection. */
    private static final class Client {
        private final SocketChannel channel;
        private final ByteBuffer request;
        private final Answer answer = new Answer();
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
        void read(ByteBuffer buffer, Histogram times, boolean again) {
            try {
                buffer.clear();
                if (channel.read(buffer) < 0) {
                    throw new IOException("the server has closed a connection");
                }
                if (answer.take(buffer.flip())) {
                    if (!answer.ok()) {
                        throw new IOException("not answered with 200: " + answer);
                    }
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
    }
}
