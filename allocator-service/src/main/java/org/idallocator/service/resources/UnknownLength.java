package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.core.Response;
import org.idallocator.service.draw.Order;

/**
 * Answers whose length is not known before they are drawn. Over HTTP/1.1 they come in chunks, the last of which tells the whole from
 * a part. HTTP/1.0 has no chunks: there the end of the connection is the end of the answer, and a part would look like the whole.
 */
final class UnknownLength {
    private static final int UPGRADE_REQUIRED = 426;

    private UnknownLength() {}

    /** Refuses a request of HTTP/1.0. */
    static void requireChunks(HttpServletRequest request) {
        if (request.getProtocol().equals("HTTP/1.0")) {
            throw new ClientErrorException(
                    "HTTP/1.0 takes no answer whose length is not known before it is drawn: ask over HTTP/1.1, or with GET for a count"
                            + " of " + Order.LARGEST_COLLECTED
                            + " at most, or in a form that writes all IDs equally long",
                    Response.status(UPGRADE_REQUIRED)
                            .header("Upgrade", "HTTP/1.1")
                            .header("Connection", "Upgrade")
                            .build());
        }
    }
}
