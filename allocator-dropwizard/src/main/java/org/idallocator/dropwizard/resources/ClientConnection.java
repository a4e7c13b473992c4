package org.idallocator.dropwizard.resources;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.idallocator.dropwizard.http.RequestPermit;
import org.idallocator.dropwizard.ids.IdAnswer;

/**
 * The client of one request, on the request's connection. While a request is handled, Jetty reads nothing from the
 * connection, and does not notice that the client closes it; so this reads from the connection to find out.
 *
 * <p>Bytes that the client sends meanwhile belong to its next requests, and are given back to Jetty, as many as Jetty
 * has room for. A client that has sent more counts as present. That gains it nothing but to stay: its request is
 * finished, the write of its answer fails, and its next requests are not taken. A client that has closed its sending
 * side counts as gone, as with other servers.
 *
 * <p>Only for the thread that handles the request, and only after that thread has read the request's body.
 */
final class ClientConnection implements IdAnswer.Client {
    private static final int SOME_BYTES = 256;

    private final Request request;

    ClientConnection(Request request) {
        this.request = request;
    }

    @Override
    public void releasePermit() {
        RequestPermit.of(request).release();
    }

    @Override
    public boolean isPresent() {
        Connection connection = connection();
        if (!connection.getEndPoint().isOpen()) {
            return false;
        }
        // A connection without both of these is shared by many requests, and nobody but Jetty may read it.
        return !(connection instanceof Connection.UpgradeFrom from)
                || !(connection instanceof Connection.UpgradeTo to)
                || isThere(connection.getEndPoint(), from, to);
    }

    private boolean isThere(EndPoint endPoint, Connection.UpgradeFrom from, Connection.UpgradeTo to) {
        ByteBuffer before = from.onUpgradeFrom();
        ByteBuffer next = BufferUtil.allocate(BufferUtil.length(before) + SOME_BYTES);
        if (before != null) {
            BufferUtil.append(next, before);
        }
        try {
            return next.capacity() > room() || endPoint.fill(next) >= 0;
        } catch (IOException e) {
            return false; // the connection has failed
        } finally {
            if (next.hasRemaining()) {
                to.onUpgradeTo(next);
            }
        }
    }

    /** How many bytes Jetty keeps of what follows a request; it silently drops more. */
    private int room() {
        return request.getConnectionMetaData().getHttpConfiguration().getInputBufferSize();
    }

    /** Cuts the answer off, so that a part of it does not look like the whole. */
    void cutOff(Throwable why) {
        AnswerEndHandler.cutOff(request, why);
    }

    private Connection connection() {
        return request.getConnectionMetaData().getConnection();
    }
}
