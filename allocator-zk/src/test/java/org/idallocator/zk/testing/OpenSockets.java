package org.idallocator.zk.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sockets that a line between processes has open. Thread-safe. */
public final class OpenSockets implements AutoCloseable {
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    public Socket add(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    /** Closes both ends of a connection. */
    public void hangUp(Socket... ends) {
        for (Socket end : ends) {
            closeQuietly(end);
            sockets.remove(end);
        }
    }

    public static void closeQuietly(Closeable end) {
        try {
            end.close();
        } catch (IOException e) {
            // the end is gone either way
        }
    }

    @Override
    public void close() {
        sockets.forEach(OpenSockets::closeQuietly);
    }
}
