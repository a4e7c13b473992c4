package org.idallocator.service.resources;

import java.util.Optional;
import java.util.function.BooleanSupplier;
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
    private volatile @Nullable Passed passed;

    ExpressFront(ExpressLane lane) {
        this.lane = lane;
    }

    /**
     * What is passed by.
     *
     * @param available whether the context serves now
     * @param counts how the context's requests are counted
     * @param varies whether the context's answers depend on the origin
     * @param leastCompressed answers of so many bytes and more may be compressed, where the client allows that
     */
    record Passed(BooleanSupplier available, PassedCounts counts, boolean varies, long leastCompressed) {

        /** How long an answer is that a handler behind might change. */
        private long tooLong(Request request) {
            return request.getHeaders().contains(HttpHeader.ACCEPT_ENCODING) ? leastCompressed : Long.MAX_VALUE;
        }

        private void answer(ExpressLane.Drawn drawn, Request request, Response response, Callback callback) {
            counts.begins();
            try {
                drawn.write(varies, response, callback);
            } finally {
                counts.ends(request);
            }
        }
    }

    /** From now on answers in place of what is passed by. */
    void open(Passed instead) {
        passed = instead;
    }

    /** Whether it answers in place of what is passed by. */
    boolean isOpen() {
        return passed != null;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Passed by = passed;
        if (by != null && isOfApplication(request) && by.available().getAsBoolean()) {
            Optional<ExpressLane.Drawn> drawn = lane.drawn(request, by.tooLong(request));
            if (drawn.isPresent()) {
                by.answer(drawn.get(), request, response, callback);
                return true;
            }
        }
        return super.handle(request, response, callback);
    }

    /** Whether a request came to a connector of the application. */
    static boolean isOfApplication(Request request) {
        return APPLICATION.equals(request.getConnectionMetaData().getConnector().getName());
    }
}
