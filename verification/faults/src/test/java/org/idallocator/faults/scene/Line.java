package org.idallocator.faults.scene;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.idallocator.zk.testing.OpenSockets;

/** A replica's line to one ZooKeeper. It passes whole frames of ZooKeeper's protocol, as its {@link Network} says. */
final class Line implements AutoCloseable {
    private static final int BACKLOG = 50;
    private static final int LARGEST_FRAME = 16 << 20;

    private final Network network;
    private final InetSocketAddress target;
    private final ServerSocket server;
    private final OpenSockets sockets = new OpenSockets();

    Line(Network network, String target) {
        this.network = network;
        int colon = target.lastIndexOf(':');
        this.target = new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        server = assertDoesNotThrow(() -> new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
        spawn(this::accept);
    }

    /** What the replica connects to. */
    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private static void spawn(Runnable task) {
        Thread thread = new Thread(task, "line");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket client = sockets.add(server.accept());
                spawn(() -> connect(client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void connect(Socket client) {
        Socket onward = sockets.add(new Socket());
        Network.Conversation conversation = network.conversation();
        try {
            network.requests().await();
            client.setTcpNoDelay(true);
            onward.setTcpNoDelay(true);
            onward.connect(target);
            spawn(() -> pump(onward, client, conversation::answer));
            pump(client, onward, conversation::request);
        } catch (IOException e) {
            sockets.hangUp(client, onward);
        }
    }

    /** Passes a frame on, or throws to end the connection. */
    @FunctionalInterface
    interface Passage {
        void pass(DataOutputStream out, byte[] frame) throws IOException;
    }

    /** Both ends go when one does. */
    private void pump(Socket from, Socket to, Passage passage) {
        try {
            DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream()));
            while (true) {
                int length = in.readInt();
                if (length < 0 || length > LARGEST_FRAME) {
                    throw new IOException("not a frame of ZooKeeper's: " + length + " bytes");
                }
                passage.pass(out, in.readNBytes(length));
            }
        } catch (IOException e) {
            network.awaitHealed(); // so does the end of a connection
        } finally {
            sockets.hangUp(from, to);
        }
    }

    @Override
    public void close() {
        OpenSockets.closeQuietly(server);
        sockets.close();
    }
}
