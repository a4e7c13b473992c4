package org.idallocator.service.resources;

import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.problems.ProblemErrorHandler;
import org.idallocator.service.problems.Problems;
import org.idallocator.service.ids.BusyException;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.Limit;

/**
 * Lets so many requests for the routes and the console in at a time, fewer of those for what an ID says, and refuses all beyond at once,
 * in front of the servlets: however slowly clients send and read, there are threads left for health checks and for the program's other
 * paths, which come in always, and a refusal costs little. Thread-safe.
 */
final class RequestLimit extends Handler.Wrapper {
    private final IdService ids;
    private final Semaphore places;
    private final LimitedPaths paths;

    /** {@code paths} are those that it is for. */
    RequestLimit(IdService ids, LimitedPaths paths) {
        this.ids = ids;
        this.places = new Semaphore(ids.limits().requests());
        this.paths = paths;
    }

    /** How many requests are let in now. */
    int taken() {
        return ids.limits().requests() - places.availablePermits();
    }

    /** Whether a request for this path in the servlets' context would be refused now. */
    boolean refuses(String path) {
        return places.availablePermits() == 0 && paths.include(path);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        if (!paths.include(path)) {
            return super.handle(request, response, callback);
        }
        if (!places.tryAcquire()) {
            BusyException e = ids.busy(Limit.REQUESTS);
            String context = Request.getContextPath(request);
            String root = (context.equals("/") ? "" : context) + paths.root() + "/";
            response.getHeaders().put(HttpHeader.VARY, CrossOrigin.varies(request) ? "Accept, Origin" : "Accept");
            ProblemErrorHandler.write(
                    request, response, callback, Problems.of(e).withHelp(root));
            return true;
        }
        Request.addCompletionListener(request, failure -> places.release());
        return super.handle(request, response, callback);
    }
}
