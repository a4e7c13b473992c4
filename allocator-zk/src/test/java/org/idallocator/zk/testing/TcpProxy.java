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
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a server that can be blackholed: nothing passes either way, no connection breaks, and what was sent meanwhile
 * arrives when the line is healed, as TCP would repeat it. The line may also be slow: every chunk then takes its time.
 */
public final class TcpProxy implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final long delayNanos;
    private final OpenSockets sockets = new OpenSockets();
    private final Object healed = new Object();
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
            spawn(() -> pump(onward, client));
            pump(client, onward);
        } catch (IOException e) {
            sockets.hangUp(client, onward);
        }
    }

    /** Passes on what comes from one end to the other. When one end goes, so does the other. */
    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                LockSupport.parkNanos(delayNanos);
                pass(out, buffer, read);
            }
            awaitHealed(); // the end of a connection does not pass either
        } catch (IOException e) {
            // as good as the connection's end
        } finally {
            sockets.hangUp(from, to);
        }
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
