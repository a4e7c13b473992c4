package org.idallocator.service.resources;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.draw.BusyException;
import org.idallocator.service.draw.Places;
import org.idallocator.service.problems.ProblemErrorHandler;
import org.idallocator.service.problems.Problems;

/**
 * Lets so many requests for the routes and the console in at a time, fewer of those for what an ID says, and refuses all beyond at once,
 * in front of the servlets: however slowly clients send and read, there are threads left for health checks and for the program's other
 * paths, which come in always, and a refusal costs little. Thread-safe.
 */
final class RequestLimit extends Handler.Wrapper {
    private final Places places;
    private final Places readings;
    private final LimitedPaths paths;

    /**
     * A limit.
     *
     * @param places those of all requests
     * @param readings those of requests for what an ID says, which take one of each
     * @param paths those that it is for
     */
    RequestLimit(Places places, Places readings, LimitedPaths paths) {
        this.places = places;
        this.readings = readings;
        this.paths = paths;
    }

    /** Whether a request for this path in the servlets' context would be refused now. */
    boolean refuses(String path) {
        return (places.full() && paths.include(path)) || (readings.full() && paths.isInspection(path));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        if (!paths.include(path)) {
            return super.handle(request, response, callback);
        }
        try {
            take(places, request);
            if (paths.isInspection(path)) {
                take(readings, request);
            }
        } catch (BusyException e) {
            String context = Request.getContextPath(request);
            String root = (context.equals("/") ? "" : context) + paths.root() + "/";
            response.getHeaders().put(HttpHeader.VARY, AnswerFilter.vary(CrossOrigin.varies(request)));
            ProblemErrorHandler.write(
                    request, response, callback, Problems.of(e).withHelp(root));
            return true;
        }
        return super.handle(request, response, callback);
    }

    /** Takes a place until the request is over. */
    private static void take(Places places, Request request) {
        places.take();
        Request.addCompletionListener(request, failure -> places.giveBack());
    }
}
