package org.idallocator.bench.overload;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.bench.process.Answer;

/**
 * Many clients that ask for the same, on one thread: each on a connection of its own, and again as soon as it is
 * answered, whatever the answer says of when to ask again. Whose connection serves one request asks on a new one then.
 * From {@link #start} until closed.
 */
final class Clients implements AutoCloseable {
    private static final int BUFFER = 64 * 1_024;
    private static final long LOOK_MILLIS = 20;

    private final int port;
    private final Attack attack;
    private final byte[] request;
    private final Selector selector;
    private final Thread thread;
    private final List<Client> clients = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private final LongAdder served = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile boolean ended;

    private Clients(int port, Attack attack) throws IOException {
        this.port = port;
        this.attack = attack;
        this.request = attack.request();
        this.selector = Selector.open();
        this.thread = new Thread(this::run, "attack");
    }

    static Clients start(int port, Attack attack) {
        try {
            Clients clients = new Clients(port, attack);
            clients.thread.setDaemon(true);
            clients.thread.start();
            return clients;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many answers came with 200, to their ends. */
    long served() {
        return served.sum();
    }

    /** How many answers came with another status. */
    long refused() {
        return refused.sum();
    }

    private void run() {
        try {
            long openedNanos = System.nanoTime();
            long reopenNanos = attack.reopenSeconds().isPresent()
                    ? TimeUnit.SECONDS.toNanos(attack.reopenSeconds().getAsInt())
                    : Long.MAX_VALUE;
            open();
            while (!ended) {
                if (System.nanoTime() - openedNanos > reopenNanos) {
                    openedNanos = System.nanoTime();
                    closeAll();
                    open();
                }
                if (attack.reads() == Attack.Reads.SLOWLY) {
                    Thread.sleep(LOOK_MILLIS);
                }
                selector.select(LOOK_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Client) key.attachment()).goOn(key.readyOps());
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeAll();
        }
    }

    private void open() throws IOException {
        for (int i = 0; i < attack.clients() && !ended; i++) {
            clients.add(new Client());
        }
    }

    private void closeAll() {
        clients.forEach(Client::close);
        clients.clear();
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One of them. */
    private final class Client {
        private final ByteBuffer ahead = ByteBuffer.wrap(request);
        private SocketChannel channel = connected();
        private final Answer answer = new Answer();

        private SocketChannel connected() {
            boolean sendsAhead = attack.sends() == Attack.Sends.AHEAD;
            try {
                SocketChannel opened =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                if (attack.connectsForEach()) {
                    opened.setOption(StandardSocketOptions.SO_LINGER, 0); // each port can be used again at once
                }
                if (!sendsAhead) {
                    opened.write(ByteBuffer.wrap(request)); // to a connection that has just been made, whole
                }
                opened.configureBlocking(false);
                if (attack.reopenSeconds().isEmpty()) {
                    int writes = sendsAhead ? SelectionKey.OP_WRITE : 0;
                    opened.register(selector, SelectionKey.OP_READ | writes, this);
                }
                return opened;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void goOn(int ready) throws IOException {
            SocketChannel on = channel;
            if ((ready & SelectionKey.OP_READ) != 0) {
                receive();
            }
            if (channel == on && (ready & SelectionKey.OP_WRITE) != 0) {
                send(ahead.hasRemaining() ? ahead : ahead.rewind());
            }
        }

        private void receive() throws IOException {
            buffer.clear();
            if (attack.reads() == Attack.Reads.SLOWLY) {
                buffer.limit(attack.bytesAtATime(LOOK_MILLIS));
            }
            int read;
            try {
                read = channel.read(buffer);
            } catch (IOException e) {
                read = -1; // cut off
            }
            if (read < 0) {
                if (answer.endsWithConnection()) {
                    count();
                }
                connectAnew();
                return;
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                if (answer.take(buffer)) {
                    count();
                    askAgain();
                }
            }
        }

        private void count() {
            (answer.ok() ? served : refused).increment();
        }

        private void askAgain() throws IOException {
            answer.clear();
            if (attack.connectsForEach()) {
                buffer.position(buffer.limit()); // nothing else is of this connection's answer
                connectAnew();
            } else if (attack.sends() == Attack.Sends.ONE) {
                send(ByteBuffer.wrap(request));
            }
        }

        private void send(ByteBuffer bytes) throws IOException {
            try {
                channel.write(bytes);
            } catch (IOException e) {
                connectAnew(); // cut off
            }
        }

        private void connectAnew() throws IOException {
            answer.clear();
            ahead.rewind();
            channel.close();
            if (!ended) {
                channel = connected();
            }
        }

        void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
