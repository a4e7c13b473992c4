package org.idallocator.service.resources;

import com.google.common.util.concurrent.MoreExecutors;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Has an {@link ExpressLane} answer requests of the application's connectors before compression, routing and the application's
 * context, where these would change nothing in the answer; counts each of them as the context's requests are counted. All else goes
 * on as it came, and may meet the lane again inside the context. Closed until opened.
 *
 * <p>Open or closed, has requests for which there is no room go on one after the other, on one thread of the pool: however many
 * clients ask in vain, and again at once, the others have the selector and all other threads. Thread-safe.
 */
final class ExpressFront extends Handler.Wrapper {
    /** What Dropwizard names the connectors whose requests go to the application's context. */
    static final String APPLICATION = "application";

    private final ExpressLane lane;
    private final Predicate<Request> crowded;
    private final Executor inTurn;
    private volatile @Nullable Passed passed;

    /**
     * A front that is closed.
     *
     * @param crowded whether a request is most likely refused; does not wait
     * @param pool gives the threads, one at a time
     */
    ExpressFront(ExpressLane lane, Predicate<Request> crowded, Executor pool) {
        this.lane = lane;
        this.crowded = crowded;
        this.inTurn = MoreExecutors.newSequentialExecutor(pool);
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
        if (!Invocable.isNonBlockingInvocation() || !crowded.test(request)) {
            return super.handle(request, response, callback);
        }
        Runnable pass = () -> HandOver.pass(getHandler(), request, response, callback);
        HandOver.run(inTurn, request, callback, () -> Invocable.invokeNonBlocking(pass));
        return true;
    }

    /** Whether a request came to a connector of the application. */
    static boolean isOfApplication(Request request) {
        return APPLICATION.equals(request.getConnectionMetaData().getConnector().getName());
    }
}
