package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.idallocator.service.draw.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of one request, on the connection of that. Jetty reads nothing from a connection while a request is handled, so
 * that an end is not noticed; this looks for it. A client that has closed its sending side counts as gone, as with other servers.
 * Only for the thread that handles the request.
 */
final class ConnectedCaller implements Caller {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedCaller.class);
    private static final int SOME_BYTES = 256;

    private final HttpServletRequest request;
    private boolean more;

    ConnectedCaller(HttpServletRequest request) {
        this.request = request;
    }

    @Override
    public boolean waits() {
        Connection connection = connection();
        EndPoint endPoint = connection.getEndPoint();
        if (!(connection instanceof HttpConnection http)) {
            return endPoint.isOpen(); // many requests share it, so that nobody else may read from it
        }
        more |= !http.isRequestBufferEmpty();
        return endPoint.isOpen() && (more || reads(http, endPoint));
    }

    /** Whether the client has not closed; what it sent meanwhile is kept for its next request. */
    private boolean reads(HttpConnection http, EndPoint endPoint) {
        ByteBuffer next = BufferUtil.allocate(SOME_BYTES);
        try {
            int filled = endPoint.fill(next);
            if (filled > 0) {
                http.onUpgradeTo(next);
                more = true;
            }
            return filled >= 0;
        } catch (IOException e) {
            LOG.debug("the client's connection has failed", e);
            return false;
        }
    }

    /** Closes the connection, so that a part of an answer does not look like the whole. */
    void cutOff() {
        connection().getEndPoint().close();
    }

    private Connection connection() {
        return ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection();
    }
}
