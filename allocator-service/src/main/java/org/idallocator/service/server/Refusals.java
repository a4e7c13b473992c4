package org.idallocator.service.server;

import com.google.common.util.concurrent.MoreExecutors;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.ids.BusyException;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.problems.Problem;
import org.idallocator.dropwizard.problems.ProblemErrorHandler;
import org.idallocator.dropwizard.problems.Problems;

/**
 * Refuses requests. A request beyond the limit of requests is refused on one thread, which refuses one after the other
 * and rests in between. So clients that ask again at once leave the selectors and the other processors to everybody
 * else. A request whose body is not read, or cannot be read, is refused on the calling thread. Its connection is
 * closed, because the rest of the body may still come, and no next request could follow.
 *
 * <p>Thread-safe; never waits.
 */
final class Refusals {
    /**
     * How long the thread rests after each refusal, in nanoseconds. In {@code bench.jar overload}, single IDs beside
     * 3,000 greedy clients waited 48 ms without this rest, and 11 ms with it.
     */
    private static final long REST_NANOS = 50_000;

    private final IdService ids;
    private final BasePath base;
    private final Executor oneByOne;

    /**
     * The refusals of one server.
     *
     * @param ids counts what a limit refuses
     * @param base what comes before the paths of the routes
     * @param pool has the thread that refuses one request after the other
     */
    Refusals(IdService ids, BasePath base, Executor pool) {
        this.ids = ids;
        this.base = base;
        oneByOne = MoreExecutors.newSequentialExecutor(pool);
    }

    /** Tells the client that a limit is reached, when the requests that were refused before have their answers. */
    void refuseInTurn(Limit limit, Request request, Response response, Callback callback) {
        ConnectorPool.execute(oneByOne, request, callback, () -> {
            try {
                answer(limit, request, response, callback);
            } catch (Throwable e) { // nobody else would see it, and the client would wait in vain
                callback.failed(e);
            }
            LockSupport.parkNanos(REST_NANOS);
        });
    }

    /** Tells a client at once that a limit is reached, closing its connection, because its body is not read. */
    void refuseAtOnce(Limit limit, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        answer(limit, request, response, callback);
    }

    private void answer(Limit limit, Request request, Response response, Callback callback) {
        ids.countBusy(limit);
        write(Problems.logAndDescribe(new BusyException(limit)), request, response, callback);
    }

    /** Tells a client at once why its body was not read to the end, closing its connection. */
    void refuseAtOnce(Problem why, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        write(why, request, response, callback);
    }

    private void write(Problem why, Request request, Response response, Callback callback) {
        CommonHeaders.BY_ACCEPT.putInto(response);
        ProblemErrorHandler.write(request, response, callback, why.withHelp(base.onPort() + "/"));
    }
}
