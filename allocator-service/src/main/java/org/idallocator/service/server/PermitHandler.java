package org.idallocator.service.server;

import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.RequestPermit;
import org.jspecify.annotations.Nullable;

/**
 * Has requests worked on by the pool of threads, a few at a time, in the order in which they came: those that wait are
 * entries of a queue. Requests may come on a selector's thread; the next handler may wait. Thread-safe; never waits
 * itself.
 */
final class PermitHandler extends Handler.Wrapper {
    private final Lane usual;
    private final Map<String, Lane> lanes;

    /**
     * A handler whose requests share lanes.
     *
     * @param usual that of requests of all other paths
     * @param lanes by path in the context
     */
    PermitHandler(Lane usual, Map<String, Lane> lanes) {
        this.usual = usual;
        this.lanes = lanes;
    }

    /** How many permits of the usual lane nobody has now. */
    int availablePermits() {
        return usual.availablePermits();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Lane lane = lanes.getOrDefault(Request.getPathInContext(request), usual);
        new Work(lane, request, response, callback).enter();
        return true;
    }

    /**
     * The answer to a request, with its permit. That is given back when the request ends, as whoever answers sees it,
     * or as Jetty does, and where the servlets return or throw; before that, where the request is about to wait for a
     * tick or for ZooKeeper; or when the first bytes of the answer are on their way, as what waits for a client to read
     * does no work.
     */
    private final class Work extends Response.Wrapper implements Callback {
        private final Callback callback;
        private final Lane.Permit permit;

        Work(Lane lane, Request request, Response response, Callback callback) {
            super(request, response);
            this.callback = callback;
            permit = lane.permit(this::begin);
        }

        void enter() {
            Request.addCompletionListener(getRequest(), failure -> permit.release());
            RequestPermit.give(getRequest(), permit::release);
            permit.enter();
        }

        private void begin() {
            ConnectorPool.handle(this::answer, getRequest(), this, this);
        }

        private boolean answer(Request request, Response response, Callback ended) throws Exception {
            try {
                return getHandler().handle(request, response, ended);
            } finally {
                permit.release();
            }
        }

        @Override
        public void write(boolean last, @Nullable ByteBuffer content, Callback written) {
            super.write(last, content, written); // does not wait
            permit.release();
        }

        /** The permit is given back before Jetty hears of the end, so that nothing that Jetty does then can keep it. */
        @Override
        public void succeeded() {
            permit.release();
            callback.succeeded();
        }

        @Override
        public void failed(Throwable why) {
            permit.release();
            callback.failed(why);
        }

        @Override
        public InvocationType getInvocationType() {
            return callback.getInvocationType();
        }
    }
}
