package org.idallocator.dropwizard.http;

import static org.eclipse.jetty.ee10.servlet.ServletContextRequest.getServletContextRequest;

import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.server.Request;

/**
 * The permit with which the server works on a request. It is given back at the latest when the request ends. Whoever is
 * about to wait, for example for ZooKeeper, releases the permit before, because waiting is no work. A request that
 * needs no permit has one that does nothing. Thread-safe.
 */
public final class RequestPermit {
    private static final String ATTRIBUTE = RequestPermit.class.getName();
    private static final RequestPermit NONE = new RequestPermit(() -> {});

    private final Runnable giveBack;

    private RequestPermit(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    /**
     * Attaches a permit to a request. {@code giveBack} gives the permit back; it must allow calls from any thread, and
     * more than one.
     */
    public static void attach(Request request, Runnable giveBack) {
        request.setAttribute(ATTRIBUTE, new RequestPermit(giveBack));
    }

    /** The permit of a request. */
    public static RequestPermit of(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestPermit permit ? permit : NONE;
    }

    /** The permit of a request, as a servlet sees the request. */
    public static RequestPermit of(HttpServletRequest request) {
        return of(getServletContextRequest(request));
    }

    /** Gives the permit back, if that has not happened yet. */
    public void release() {
        giveBack.run();
    }
}
