package org.idallocator.zk.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a server that can be blackholed: nothing passes either way, no connection breaks, and what was sent
 * meanwhile arrives when the line is healed, as TCP would repeat it. The line may also be slow: every chunk then takes
 * its time. And what is sent next, one way, may be lost with its connection, or arrive after the client has learned
 * that the connection is gone.
 */
public final class TcpProxy implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final long delayNanos;
    private final OpenSockets sockets = new OpenSockets();
    private final Object healed = new Object();
    private final AtomicReference<Loss> next = new AtomicReference<>(Loss.NONE);
    private volatile Runnable late = () -> {};
    private boolean blackholed;
    private volatile boolean closed;

    private TcpProxy(ServerSocket server, InetSocketAddress target, Duration delay) {
        this.server = server;
        this.target = target;
        this.delayNanos = delay.toNanos();
    }

    /** A line to {@code host:port} on which each way takes {@code delay}. */
    public static TcpProxy to(String address, Duration delay) {
        int colon = address.lastIndexOf(':');
        InetSocketAddress target =
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        try {
            TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target, delay);
            spawn(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address to which clients connect. */
    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Lets nothing pass from when this returns. */
    public void blackhole() {
        synchronized (healed) {
            blackholed = true;
        }
    }

    /** Lets everything pass again, beginning with what was held back. */
    public void heal() {
        synchronized (healed) {
            blackholed = false;
            healed.notifyAll();
        }
    }

    /** What becomes of what is sent next, in the direction that this is about. */
    private enum Loss {
        NONE,
        REQUEST,
        ANSWER,
        LATE_REQUEST
    }

    /** Loses what a client sends next, and breaks its connection. */
    public void loseNextRequest() {
        next.set(Loss.REQUEST);
    }

    /** Loses what a server answers next, and breaks the connection. */
    public void loseNextAnswer() {
        next.set(Loss.ANSWER);
    }

    /**
     * Keeps back what a client sends next, breaks its connection, and is a black hole to all others, until it is
     * healed.
     */
    public void delayNextRequest() {
        next.set(Loss.LATE_REQUEST);
    }

    /** Delivers what was kept back to the server, where it seems to come from the client's old connection. */
    public void deliver() {
        late.run();
    }

    private static void spawn(Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = sockets.add(server.accept());
                spawn(() -> connect(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket client) {
        Socket onward = sockets.add(new Socket());
        try {
            awaitHealed();
            client.setTcpNoDelay(true);
            onward.setTcpNoDelay(true);
            onward.connect(target);
            spawn(() -> pump(onward, client, Loss.ANSWER));
            pump(client, onward, Loss.REQUEST);
        } catch (IOException e) {
            sockets.hangUp(client, onward);
        }
    }

    /** Passes on what comes from one end to the other. When one end goes, so does the other. */
    private void pump(Socket from, Socket to, Loss way) {
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                LockSupport.parkNanos(delayNanos);
                if (next.compareAndSet(way, Loss.NONE)) {
                    return;
                }
                if (way == Loss.REQUEST && next.compareAndSet(Loss.LATE_REQUEST, Loss.NONE)) {
                    keepBack(from, out, Arrays.copyOf(buffer, read));
                    awaitHealed();
                    return;
                }
                pass(out, buffer, read);
            }
            awaitHealed(); // the end of a connection does not pass either
        } catch (IOException e) {
            // as good as the connection's end
        } finally {
            sockets.hangUp(from, to);
        }
    }

    /** The server still sees the connection, until the line is healed. */
    private void keepBack(Socket client, OutputStream server, byte[] request) {
        blackhole();
        late = () -> {
            try {
                server.write(request);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        OpenSockets.closeQuietly(client);
    }

    /** Passes under the lock, so that nothing is on its way when {@link #blackhole} returns. */
    private void pass(OutputStream out, byte[] buffer, int count) throws IOException {
        synchronized (healed) {
            awaitHealed();
            out.write(buffer, 0, count);
        }
    }

    private void awaitHealed() throws IOException {
        synchronized (healed) {
            while (blackholed && !closed) {
                try {
                    healed.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        heal();
        OpenSockets.closeQuietly(server);
        sockets.close();
    }
}
