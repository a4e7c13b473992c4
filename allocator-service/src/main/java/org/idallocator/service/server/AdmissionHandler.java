package org.idallocator.service.server;

import com.google.common.util.concurrent.MoreExecutors;
import io.dropwizard.metrics.servlets.AdminServlet;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.http.BasePath;
import org.idallocator.service.http.CommonHeaders;
import org.idallocator.service.ids.BusyException;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.Limit;
import org.idallocator.service.ids.Places;
import org.idallocator.service.metrics.MetricsSetup;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.ProblemErrorHandler;
import org.idallocator.service.problems.Problems;
import org.idallocator.service.resources.HttpApi;
import org.jspecify.annotations.Nullable;

/**
 * Lets the application's requests in, from the selector's thread to threads of the pool. {@link BodyHandler} has read a POST's body
 * before. So many requests are in flight at a time, and those beyond are refused, one after the other, on one thread that rests in
 * between: however many clients ask again at once, the others have the selector and the processors. Of those in flight, a few are
 * worked on at a time, in the order in which they came; the others are entries of a queue. Health checks are let in at once.
 * Thread-safe; never waits.
 *
 * <p>Who adds to the queue asks for a permit afterwards, and who gives a permit back looks at the queue afterwards. So a request
 * that found no permit is seen by whoever gives back the next one, and none is left behind. A permit is given back by the one
 * thread that moves its state from working to ended, however often, and from wherever, its end is called.
 */
public final class AdmissionHandler extends Handler.Wrapper {
    /** How long the thread that refuses rests after each: without, single IDs waited 48 ms beside 3,000 greedy clients, and 11 ms so. */
    private static final long REST_NANOS = 50_000;

    /** Of requests that are let in at once. */
    private static final int EXEMPTED_AT_A_TIME = 2;

    /**
     * Paths of the admin port that are much work. Stacks of all threads stop the JVM while they are taken: with as many at a time as
     * there are threads, leases were not renewed in time. One is worked on at a time, and keeps operators from nothing else.
     */
    private static final Set<String> DUMPS =
            Set.of(AdminServlet.DEFAULT_THREADS_URI, AdminServlet.DEFAULT_METRICS_URI, MetricsSetup.PATH);

    private final IdService ids;
    private final BasePath base;
    private final Predicate<String> exempt;
    private final Places places;
    /** One processor is left to the selectors, to refusals, and so to single IDs; large answers need no permit. */
    private final Lane work = new Lane(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));

    private final Lane exempted = new Lane(EXEMPTED_AT_A_TIME);
    private final Lane dumps = new Lane(1);
    private @Nullable Executor refusals;

    /**
     * An admission of as many requests as {@code ids} has for a limit.
     *
     * @param base what comes before the paths of the routes
     * @param exempt whether requests of a path in the context are let in at once
     */
    AdmissionHandler(IdService ids, BasePath base, Predicate<String> exempt) {
        this.ids = ids;
        places = ids.places(Limit.REQUESTS);
        this.base = base;
        this.exempt = exempt;
    }

    @Override
    protected void doStart() throws Exception {
        refusals = MoreExecutors.newSequentialExecutor(getServer().getThreadPool());
        super.doStart();
    }

    /** How many permits nobody has now. */
    public int free() {
        return work.permits.availablePermits();
    }

    /** How many requests are let in now, waiting ones too. */
    public int inFlight() {
        return places.taken();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (exempt.test(path)) {
            Lane lane = DUMPS.contains(path) ? dumps : exempted;
            lane.add(new Admitted(lane, request, response, callback));
        } else {
            admit(request, response, callback);
        }
        return true;
    }

    private void admit(Request request, Response response, Callback callback) {
        if (!places.take()) {
            execute(Objects.requireNonNull(refusals), request, callback, () -> {
                ids.countBusy(Limit.REQUESTS);
                refuse(Problems.of(new BusyException(Limit.REQUESTS)), base, request, response, callback);
                LockSupport.parkNanos(REST_NANOS);
            });
            return;
        }
        work.add(new Placed(request, response, callback));
    }

    /** Answers a request that goes no further; {@code base} is what comes before the paths of the routes. */
    static void refuse(Problem why, BasePath base, Request request, Response response, Callback callback) {
        CommonHeaders.BY_ACCEPT.putInto(response);
        ProblemErrorHandler.write(request, response, callback, why.withHelp(base.onPort() + "/"));
    }

    /**
     * Has the next handler answer a request on the pool of threads that serves the connector, in any case, as Jetty does: with 404
     * where the handler does not take the request, with an error where it throws.
     */
    static void dispatch(Request.Handler next, Request request, Response response, Callback callback) {
        Runnable handle = () -> {
            try {
                if (!next.handle(request, response, callback)) {
                    Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
                }
            } catch (Throwable e) {
                callback.failed(e);
            }
        };
        Executor pool = request.getConnectionMetaData().getConnector().getExecutor();
        execute(pool, request, callback, () -> request.getContext().run(handle, request));
    }

    /** Where there are no threads any more, closes the connection, as Jetty does: nothing was drawn. */
    private static void execute(Executor pool, Request request, Callback callback, Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.failed(e); // Jetty logs that, and sends no error any more
        }
    }

    private enum State {
        WAITING,
        WORKING,
        ENDED
    }

    /** Requests of which so many are worked on at a time, in the order in which they came. */
    private static final class Lane {
        private final Semaphore permits;
        private final Queue<Admitted> queue = new ConcurrentLinkedQueue<>();

        Lane(int permits) {
            this.permits = new Semaphore(permits);
        }

        void add(Admitted admitted) {
            Request.addCompletionListener(admitted.getRequest(), failure -> admitted.leave());
            admitted.getRequest().setAttribute(HttpApi.PERMIT, (Runnable) admitted::rest);
            queue.add(admitted);
            startNext();
        }

        void release() {
            permits.release();
            startNext();
        }

        private void startNext() {
            while (!queue.isEmpty() && permits.tryAcquire()) {
                Admitted next = queue.poll();
                if (next == null || !next.begin()) { // another thread was faster, or its client has gone
                    permits.release();
                }
            }
        }
    }

    /**
     * A request that was let in, with its permit to be worked on. The permit is given back when the request ends, as whoever answers sees
     * it, or as Jetty does, and where the servlets return or throw; before that, where the request is about to wait for a tick or for
     * ZooKeeper; or when the first bytes of the answer are on their way, as what waits for a client to read does no work.
     */
    private class Admitted extends Response.Wrapper implements Callback {
        private final Lane lane;
        private final Callback callback;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        Admitted(Lane lane, Request request, Response response, Callback callback) {
            super(request, response);
            this.lane = lane;
            this.callback = callback;
        }

        /** Has the request answered; false where it has ended before. */
        boolean begin() {
            boolean begins = state.compareAndSet(State.WAITING, State.WORKING);
            if (begins) {
                dispatch(this::answer, getRequest(), this, this);
            }
            return begins;
        }

        private boolean answer(Request request, Response response, Callback ended) throws Exception {
            try {
                return getHandler().handle(request, response, ended);
            } finally {
                rest();
            }
        }

        @Override
        public void write(boolean last, @Nullable ByteBuffer content, Callback written) {
            super.write(last, content, written); // does not wait
            rest();
        }

        /** Gives the permit back, if it is not back. */
        final void rest() {
            if (state.getAndSet(State.ENDED) == State.WORKING) {
                lane.release();
            }
        }

        /** Gives back what is not back yet. */
        void leave() {
            rest();
        }

        /** All is given back before Jetty hears of the end, so that nothing that Jetty does then can keep it. */
        @Override
        public void succeeded() {
            leave();
            callback.succeeded();
        }

        @Override
        public void failed(Throwable why) {
            leave();
            callback.failed(why);
        }

        @Override
        public InvocationType getInvocationType() {
            return callback.getInvocationType();
        }
    }

    /** A request that has a place, too, until it ends. */
    private final class Placed extends Admitted {
        private final AtomicBoolean there = new AtomicBoolean(true);

        Placed(Request request, Response response, Callback callback) {
            super(work, request, response, callback);
        }

        @Override
        void leave() {
            if (there.getAndSet(false)) {
                places.giveBack();
            }
            super.leave();
        }
    }
}
