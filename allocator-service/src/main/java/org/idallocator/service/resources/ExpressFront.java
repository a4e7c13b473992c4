package org.idallocator.service.resources;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Has an {@link ExpressLane} answer requests of the application's connectors before compression, routing and the application's
 * context, where these would change nothing in the answer; counts each of them as the context's requests are counted. All else goes
 * on as it came, and may meet the lane again inside the context. Closed until opened. Thread-safe.
 */
final class ExpressFront extends Handler.Wrapper {
    /** What Dropwizard names the connectors whose requests go to the application's context. */
    static final String APPLICATION = "application";

    private final ExpressLane lane;
    private volatile @Nullable PassedCounts counts;
    private volatile boolean varies;

    ExpressFront(ExpressLane lane) {
        this.lane = lane;
    }

    /** From now on answers; {@code varies} is whether the context's answers depend on the origin. */
    void open(PassedCounts passed, boolean originVaries) {
        varies = originVaries;
        counts = passed;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        PassedCounts passed = counts;
        if (passed == null || !isOfApplication(request) || mayBeCompressed(request)) {
            return super.handle(request, response, callback);
        }
        ExpressLane.Drawn drawn = lane.drawn(request).orElse(null);
        if (drawn == null) {
            return super.handle(request, response, callback);
        }
        passed.begins();
        try {
            drawn.write(varies, response, callback);
        } finally {
            passed.ends(request);
        }
        return true;
    }

    private static boolean isOfApplication(Request request) {
        return APPLICATION.equals(request.getConnectionMetaData().getConnector().getName());
    }

    private static boolean mayBeCompressed(Request request) {
        return request.getHeaders().contains(HttpHeader.ACCEPT_ENCODING);
    }
}
