package org.idallocator.dropwizard.http;

import static org.eclipse.jetty.ee10.servlet.ServletContextRequest.getServletContextRequest;

import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.server.Request;

/**
 * The permit by which a request is worked on, for whoever answers it. It is given back when the request ends, at the
 * latest. Who is about to wait, such as for ZooKeeper, releases it before, as waiting is no work. A request that needs
 * none has one that does nothing. Thread-safe.
 */
public final class RequestPermit {
    private static final String ATTRIBUTE = RequestPermit.class.getName();
    private static final RequestPermit NONE = new RequestPermit(() -> {});

    private final Runnable giveBack;

    private RequestPermit(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    /** Gives a request a permit, which {@code giveBack} gives back, from any thread, and however often it is called. */
    public static void attach(Request request, Runnable giveBack) {
        request.setAttribute(ATTRIBUTE, new RequestPermit(giveBack));
    }

    /** That of a request. */
    public static RequestPermit of(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestPermit permit ? permit : NONE;
    }

    /** That of a request, as a servlet sees it. */
    public static RequestPermit of(HttpServletRequest request) {
        return of(getServletContextRequest(request));
    }

    /** Gives it back, if it is not back. */
    public void release() {
        giveBack.run();
    }
}
