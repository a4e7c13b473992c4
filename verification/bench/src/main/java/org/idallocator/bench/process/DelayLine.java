package org.idallocator.bench.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a server on the loopback interface whose answers take a while, as if the server were far away. What is sent
 * one after the other is on its way at one time, as on a real line.
 */
public final class DelayLine implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final ServerSocket listening;
    private final int port;
    private final long delayNanos;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean answered = new AtomicBoolean(true); // the last that passed was an answer
    private final AtomicInteger turns = new AtomicInteger();

    private DelayLine(ServerSocket listening, int port, Duration delay) {
        this.listening = listening;
        this.port = port;
        this.delayNanos = delay.toNanos();
    }

    /** A line to this port, on which each answer comes {@code delay} later. */
    public static DelayLine to(int port, Duration delay) {
        try {
            DelayLine line = new DelayLine(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), port, delay);
            spawn(line::accept);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where clients connect. */
    public int port() {
        return listening.getLocalPort();
    }

    /** How often somebody has asked after an answer had come: so many answers were waited for, one after the other. */
    public int turns() {
        return turns.get();
    }

    private static void spawn(Runnable task) {
        Thread thread = new Thread(task, "delay-line");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = keep(listening.accept());
                Socket server = keep(new Socket(InetAddress.getLoopbackAddress(), port));
                spawn(() -> pass(client, server, 0, this::asked));
                spawn(() -> pass(server, client, delayNanos, () -> answered.set(true)));
            }
        } catch (IOException e) {
            close(); // or it is closed
        }
    }

    private Socket keep(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        open.add(socket);
        return socket;
    }

    /** What has arrived, and when it is to be passed on. */
    private record Chunk(byte[] bytes, long dueNanos) {}

    private void asked() {
        if (answered.getAndSet(false)) {
            turns.incrementAndGet();
        }
    }

    private void pass(Socket from, Socket to, long afterNanos, Runnable passing) {
        BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
        spawn(() -> deliver(underWay, to, passing));
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                underWay.add(new Chunk(Arrays.copyOf(buffer, read), System.nanoTime() + afterNanos));
            }
        } catch (IOException e) {
            // as good as the connection's end
        } finally {
            underWay.add(new Chunk(new byte[0], System.nanoTime() + afterNanos));
        }
    }

    /** An empty chunk is the end of the connection. */
    private void deliver(BlockingQueue<Chunk> underWay, Socket to, Runnable passing) {
        try {
            OutputStream out = to.getOutputStream();
            for (Chunk next = underWay.take(); next.bytes().length > 0; next = underWay.take()) {
                for (long left = next.dueNanos() - System.nanoTime();
                        left > 0;
                        left = next.dueNanos() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                passing.run();
                out.write(next.bytes());
            }
        } catch (IOException | InterruptedException e) {
            // as good as the connection's end
        } finally {
            closeQuietly(to);
        }
    }

    private void closeQuietly(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(this::closeQuietly);
    }
}
