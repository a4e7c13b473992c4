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
 * The client of one request, on the connection of that. Jetty reads nothing from a connection while a request is
 * handled, so that an end is not noticed; this looks for it. What the client sends meanwhile are its next requests, and
 * kept for that, as many as there is room for; from then on the client counts as present. That gains it no more than to
 * stay: its request is worked off, the write of the answer fails, and none of its next requests is taken. A client that
 * has closed its sending side counts as gone, as with other servers. Only for the thread that handles the request,
 * after that has read the request's body.
 */
public final class ClientConnection implements IdAnswer.Client {
    private static final int SOME_BYTES = 256;

    private final Request request;

    public ClientConnection(Request request) {
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
        return !(connection instanceof Connection.UpgradeFrom from) // many requests share it: nobody else may read
                || !(connection instanceof Connection.UpgradeTo to)
                || isThere(connection.getEndPoint(), from, to);
    }

    /** Whether the client has sent more than the request, as far as Jetty has read that. */
    public static boolean hasMore(Connection connection) {
        ByteBuffer more = connection instanceof Connection.UpgradeFrom from ? from.onUpgradeFrom() : null;
        if (more != null && connection instanceof Connection.UpgradeTo to) {
            to.onUpgradeTo(more); // only by taking it out does Jetty tell what it has
        }
        return more != null;
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

    /** How many bytes Jetty keeps of what comes behind a request; it would drop more without a word. */
    private int room() {
        return request.getConnectionMetaData().getHttpConfiguration().getInputBufferSize();
    }

    /** Ends the answer where it is, so that a part of it does not look like the whole. */
    void cutOff(Throwable why) {
        AnswerEndHandler.cutOff(request, why);
    }

    private Connection connection() {
        return request.getConnectionMetaData().getConnection();
    }
}
