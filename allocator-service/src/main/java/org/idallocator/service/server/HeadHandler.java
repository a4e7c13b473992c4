package org.idallocator.service.server;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.http.Route;

/**
 * Has HEAD answered as GET, so that both have the same headers, above all the same length, whoever writes and
 * compresses the answer. Jetty sends no body to HEAD. Only paths that are known to draw no ID are answered like this;
 * at all other paths HEAD goes on as it came. Thread-safe; never waits.
 */
final class HeadHandler extends Handler.Wrapper {
    /** The paths of the console below the base: {@code /}, {@code /console} and everything below {@code /console}. */
    private static final Predicate<String> CONSOLE =
            Pattern.compile("/(console(/.*)?)?").asMatchPredicate();

    private final String base;

    /** {@code base} is what comes before the paths of the routes and of the console. */
    HeadHandler(BasePath base) {
        this.base = base.onPort();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean asGet = HttpMethod.HEAD.is(request.getMethod()) && drawsNothing(path(request));
        return super.handle(asGet ? new AsGet(request) : request, response, callback);
    }

    private static String path(Request request) {
        String path = request.getHttpURI().getCanonicalPath();
        return path == null ? "" : path;
    }

    /** Whether a GET of a path draws no ID. A route that draws IDs handles HEAD by itself. */
    private boolean drawsNothing(String path) {
        if (!path.startsWith(base)) {
            return false;
        }
        String below = path.substring(base.length());
        return CONSOLE.test(below)
                || Route.of(below)
                        .filter(route -> !route.methods().contains(HttpMethod.HEAD))
                        .isPresent();
    }

    private static final class AsGet extends Request.Wrapper {
        AsGet(Request head) {
            super(head);
        }

        @Override
        public String getMethod() {
            return HttpMethod.GET.asString();
        }
    }
}
