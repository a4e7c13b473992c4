package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.idallocator.service.draw.Order;

/**
 * What is different over HTTP/1.0, which has no chunks: there the end of the connection is the end of an answer whose length was not
 * told, and a part would look like the whole.
 */
final class Http10 {
    /** The encoding by which an answer says that nobody is to compress it: that would take away its length. */
    static final String UNCOMPRESSED = "identity";

    private static final int UPGRADE_REQUIRED = 426;

    private Http10() {}

    private static boolean speaks(HttpServletRequest request) {
        return request.getProtocol().equals("HTTP/1.0");
    }

    /** Keeps an answer to HTTP/1.0 from being compressed: the web server would take away its length, but compresses nothing twice. */
    static void keepLength(HttpServletRequest request, Response.ResponseBuilder response) {
        if (speaks(request)) {
            response.header(HttpHeaders.CONTENT_ENCODING, UNCOMPRESSED);
        }
    }

    /** Refuses a request of HTTP/1.0 for an answer whose length is not known before it is drawn. */
    static void requireChunks(HttpServletRequest request) {
        if (speaks(request)) {
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
