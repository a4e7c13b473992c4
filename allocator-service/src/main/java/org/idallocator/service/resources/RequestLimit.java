package org.idallocator.service.resources;

import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.draw.BusyException;
import org.idallocator.service.draw.Places;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.service.problems.ServerProblems;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many requests for the routes and the console in at a time, fewer of those for what an ID says, and refuses all beyond at once,
 * in front of the servlets: however slowly clients send and read, there are threads left for health checks and for the program's other
 * paths, which come in always, and a refusal costs little. Thread-safe.
 */
final class RequestLimit extends Handler.Wrapper {
    private final Places places;
    private final Places readings;
    private final Supplier<@Nullable String> jerseyPattern;
    private final boolean consoleInFront;

    /**
     * A limit.
     *
     * @param places those of all requests
     * @param readings those of requests for what an ID says, which take one of each
     * @param jerseyPattern that of Jersey's servlet, such as <code>/api/*</code>, once the server has started
     * @param consoleInFront whether the console is at the root of the routes, too
     */
    RequestLimit(Places places, Places readings, Supplier<@Nullable String> jerseyPattern, boolean consoleInFront) {
        this.places = places;
        this.readings = readings;
        this.jerseyPattern = jerseyPattern;
        this.consoleInFront = consoleInFront;
    }

    private boolean concerns(String path, @Nullable String pattern) {
        return RoutePaths.include(path, pattern)
                || RoutePaths.isConsole(path, pattern)
                || (consoleInFront && RoutePaths.isRoot(path, pattern));
    }

    /** Whether a request for this path in the servlets' context would be refused now. */
    boolean refuses(String path) {
        String pattern = jerseyPattern.get();
        return (places.full() && concerns(path, pattern))
                || (readings.full() && RoutePaths.isInspection(path, pattern));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String pattern = jerseyPattern.get();
        String path = Request.getPathInContext(request);
        if (!concerns(path, pattern)) {
            return super.handle(request, response, callback);
        }
        try {
            take(places, request);
            if (RoutePaths.isInspection(path, pattern)) {
                take(readings, request);
            }
        } catch (BusyException e) {
            String context = Request.getContextPath(request);
            String root = (context.equals("/") ? "" : context) + RoutePaths.root(pattern) + "/";
            response.getHeaders().put(HttpHeader.VARY, AnswerFilter.vary(CrossOrigin.varies(request)));
            ServerProblems.refuse(RefusedRequest.because(e), root, request, response, callback);
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
