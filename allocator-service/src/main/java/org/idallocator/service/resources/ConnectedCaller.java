package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.idallocator.service.draw.Caller;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of one request, on the connection of that. Jetty reads nothing from a connection while a request is handled, so
 * that an end is not noticed; this looks for it. What the client sent meanwhile is its next request, and kept for that. A client
 * that has closed its sending side counts as gone, as with other servers. One that has sent more than there is room for counts as
 * waiting, because its end cannot be seen. Only for the thread that handles the request, after that has read the request's body.
 */
final class ConnectedCaller implements Caller {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedCaller.class);

    private static final int SOME_BYTES = 256;
    private static final int UNKNOWN = -1;

    private final Connection connection;
    private final Optional<Runnable> permit;
    private @Nullable ByteBuffer next;
    private int room = UNKNOWN;

    /** {@code permit} ends that of the request; empty where it needs none. */
    ConnectedCaller(Connection connection, Optional<Runnable> permit) {
        this.connection = connection;
        this.permit = permit;
    }

    static ConnectedCaller of(HttpServletRequest request) {
        return new ConnectedCaller(
                ServletContextRequest.getServletContextRequest(request)
                        .getConnectionMetaData()
                        .getConnection(),
                Optional.ofNullable((Runnable) request.getAttribute("org.idallocator.permit")));
    }

    @Override
    public void rests() {
        permit.ifPresent(Runnable::run);
    }

    @Override
    public boolean waits() {
        EndPoint endPoint = connection.getEndPoint();
        if (!(connection instanceof HttpConnection http)) {
            return endPoint.isOpen(); // many requests share it, so that nobody else may read from it
        }
        return endPoint.isOpen() && reads(http, endPoint);
    }

    /** Whether the client has not closed. What it sent goes into the connection's buffer, from which Jetty reads the next request. */
    private boolean reads(HttpConnection http, EndPoint endPoint) {
        if (room == UNKNOWN) {
            room = room(http);
        }
        ByteBuffer some = some();
        try {
            int filled = room < SOME_BYTES ? 0 : endPoint.fill(some);
            if (filled > 0) {
                http.onUpgradeTo(some);
                room -= filled;
            }
            return filled >= 0;
        } catch (IOException e) {
            LOG.debug("the client's connection has failed", e);
            return false;
        }
    }

    /** An empty buffer, made when somebody looks for the first time: for most answers nobody does. */
    private ByteBuffer some() {
        ByteBuffer some = next == null ? BufferUtil.allocate(SOME_BYTES) : next;
        BufferUtil.clear(some);
        next = some;
        return some;
    }

    /** How much more goes into the connection's buffer. Only by taking out what is there does Jetty tell how much that is. */
    private static int room(HttpConnection http) {
        ByteBuffer before = http.onUpgradeFrom();
        if (before == null) {
            return http.getInputBufferSize();
        }
        int room = http.getInputBufferSize() - before.remaining();
        http.onUpgradeTo(before);
        return room;
    }

    /** Closes the connection, so that a part of an answer does not look like the whole. */
    void cutOff() {
        connection.getEndPoint().close();
    }
}
