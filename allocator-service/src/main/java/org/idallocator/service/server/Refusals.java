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
 * Answers requests that go no further. Those that are too many are answered one after the other, on one thread that
 * rests in between: however many clients ask again at once, the others have the selectors and the processors. Those
 * whose bodies are not read, or cannot be, are answered on this thread, as Dropwizard would answer a body whose
 * compression is broken, too; the rest of a body may be on its way, so that no request can follow. Thread-safe; never
 * waits.
 */
final class Refusals {
    /**
     * How long the thread rests after each: without, single IDs waited 48 ms beside 3,000 greedy clients, and 11 ms so.
     */
    private static final long REST_NANOS = 50_000;

    private final IdService ids;
    private final BasePath base;
    private final Executor oneByOne;

    /**
     * Refusals of one server.
     *
     * @param ids counts what a limit refuses
     * @param base what comes before the paths of the routes
     * @param pool has the thread
     */
    Refusals(IdService ids, BasePath base, Executor pool) {
        this.ids = ids;
        this.base = base;
        oneByOne = MoreExecutors.newSequentialExecutor(pool);
    }

    /** Tells the client that there are as many as a limit allows. */
    void refuseInTurn(Limit limit, Request request, Response response, Callback callback) {
        ConnectorPool.execute(oneByOne, request, callback, () -> {
            answer(limit, request, response, callback);
            LockSupport.parkNanos(REST_NANOS);
        });
    }

    /** The same to a client whose body is not read, at once. */
    void refuseAtOnce(Limit limit, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        answer(limit, request, response, callback);
    }

    private void answer(Limit limit, Request request, Response response, Callback callback) {
        ids.countBusy(limit);
        write(Problems.of(new BusyException(limit)), request, response, callback);
    }

    /** Tells the client why its body was not read to its end, at once. */
    void refuseAtOnce(Problem why, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        write(why, request, response, callback);
    }

    private void write(Problem why, Request request, Response response, Callback callback) {
        CommonHeaders.BY_ACCEPT.putInto(response);
        ProblemErrorHandler.write(request, response, callback, why.withHelp(base.onPort() + "/"));
    }
}
