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

    /**
     * What is under way to a client that drips: with the system's own of megabytes, it would be a client that reads
     * nothing.
     */
    private static final int DRIPPING_BUFFER = 16 * 1_024;

    private final InetSocketAddress service;
    private final Attack attack;
    private final byte[] request;
    private final Selector selector;
    private final Thread thread;
    private final List<Client> clients = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private final LongAdder served = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private long requests;
    private long lookedNanos = System.nanoTime();
    private long sinceLookMillis;
    private volatile boolean ended;

    private Clients(int port, Attack attack) throws IOException {
        this.service = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.attack = attack;
        this.request = attack.request(0);
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
                if (attack.readsInParts()) {
                    Thread.sleep(LOOK_MILLIS);
                }
                selector.select(LOOK_MILLIS);
                long nowNanos = System.nanoTime();
                sinceLookMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - lookedNanos);
                lookedNanos = nowNanos;
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Client) key.attachment()).goOn(key);
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
            clients.add(new Client(i));
        }
    }

    private void closeAll() {
        clients.forEach(Client::close);
        clients.clear();
    }

    private ByteBuffer nextRequest() {
        return ByteBuffer.wrap(attack.isEachDifferent() ? attack.request(requests++) : request);
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
        private final int number;
        private final Answer answer = new Answer();
        private SocketChannel channel;
        private ByteBuffer sending = nextRequest();

        Client(int number) throws IOException {
            this.number = number;
            this.channel = connect();
        }

        /** Never waits: while the service lets nobody in, the others go on. */
        private SocketChannel connect() throws IOException {
            SocketChannel opened = SocketChannel.open();
            opened.configureBlocking(false);
            if (attack.connectsForEach()) {
                opened.setOption(StandardSocketOptions.SO_LINGER, 0); // each port can be used again at once
            }
            if (attack.reads() == Attack.Reads.DRIPPING) {
                opened.setOption(StandardSocketOptions.SO_RCVBUF, DRIPPING_BUFFER);
            }
            boolean connected = opened.connect(service);
            opened.register(selector, connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, this);
            return opened;
        }

        void goOn(SelectionKey key) throws IOException {
            int ready = key.readyOps();
            SocketChannel on = channel;
            try {
                if ((ready & SelectionKey.OP_CONNECT) != 0) {
                    channel.finishConnect();
                }
                if ((ready & SelectionKey.OP_READ) != 0) {
                    receive();
                }
                if (channel == on && (ready & (SelectionKey.OP_CONNECT | SelectionKey.OP_WRITE)) != 0) {
                    send();
                }
            } catch (IOException e) {
                connectAnew(); // cut off
            }
        }

        private void receive() throws IOException {
            buffer.clear();
            if (attack.readsInParts()) {
                buffer.limit(Math.min(BUFFER, attack.bytesAtATime(number, sinceLookMillis)));
            }
            if (channel.read(buffer) < 0) {
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
                sending = nextRequest();
                send();
            }
        }

        /**
         * Sends what the connection takes of a request, and the rest when it takes more; ahead, the next one as well.
         */
        private void send() throws IOException {
            channel.write(sending);
            boolean ahead = attack.sends() == Attack.Sends.AHEAD;
            if (ahead && !sending.hasRemaining()) {
                sending.rewind();
            }
            int reads = attack.reopenSeconds().isEmpty() ? SelectionKey.OP_READ : 0;
            int writes = ahead || sending.hasRemaining() ? SelectionKey.OP_WRITE : 0;
            channel.keyFor(selector).interestOps(reads | writes);
        }

        private void connectAnew() throws IOException {
            answer.clear();
            sending = nextRequest();
            channel.close();
            if (!ended) {
                channel = connect();
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
