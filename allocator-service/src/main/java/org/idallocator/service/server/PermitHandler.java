package org.idallocator.service.server;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.RequestPermit;
import org.jspecify.annotations.Nullable;

/**
 * Has requests handled by the thread pool, a few at a time, in the order in which they came. A request that waits for
 * its turn is an entry of a queue, and takes no thread. The handler itself may run on a selector's thread, and never
 * waits; the handlers behind it may wait. Thread-safe.
 */
final class PermitHandler extends Handler.Wrapper {
    private final Lane defaultLane;
    private final List<Apart> apart;

    /**
     * A handler whose requests share lanes.
     *
     * @param defaultLane the lane of all paths that no other lane is for
     * @param apart the other lanes
     */
    PermitHandler(Lane defaultLane, Apart... apart) {
        this.defaultLane = defaultLane;
        this.apart = List.of(apart);
    }

    /**
     * A lane of some paths.
     *
     * @param isFor tells of a path in the context whether the lane is for it
     */
    record Apart(Predicate<String> isFor, Lane lane) {}

    /** How many permits of the default lane no request has now. */
    int availablePermits() {
        return defaultLane.availablePermits();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        new Work(lane(Request.getPathInContext(request)), request, response, callback).enqueue();
        return true;
    }

    private Lane lane(String path) {
        return apart.stream()
                .filter(each -> each.isFor().test(path))
                .findFirst()
                .map(Apart::lane)
                .orElse(defaultLane);
    }

    /**
     * A request's answer, together with its permit. The permit is released by the first of these:
     *
     * <ul>
     *   <li>The request is about to wait for a tick or for ZooKeeper.
     *   <li>The first bytes of the answer are written. An answer that waits for its client to read does no work.
     *   <li>The servlets return or throw.
     *   <li>The request ends, as whoever answers sees it, or as Jetty does.
     * </ul>
     */
    private final class Work extends Response.Wrapper implements Callback {
        private final Callback callback;
        private final Lane.Permit permit;

        Work(Lane lane, Request request, Response response, Callback callback) {
            super(request, response);
            this.callback = callback;
            permit = lane.newPermit(this::begin);
        }

        void enqueue() {
            Request.addCompletionListener(getRequest(), failure -> permit.release());
            RequestPermit.attach(getRequest(), permit::release);
            permit.enqueue();
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

        /** Releases the permit before Jetty hears of the end, so nothing that Jetty does then can keep the permit. */
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
