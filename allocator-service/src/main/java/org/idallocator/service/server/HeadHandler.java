package org.idallocator.service.server;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Has HEAD answered as GET is, so that both have the same headers, the length above all, whoever writes and compresses the answer;
 * Jetty sends no body to HEAD. Only at paths that are known to draw no ID: at all others, HEAD goes on as it came. Thread-safe;
 * never waits.
 */
final class HeadHandler extends Handler.Wrapper {
    /** What an ID says is two segments below {@code /ids}; one alone draws. */
    private static final Predicate<String> ROUTES = Pattern.compile(
                    "/(ids/?|ids/[^/]+/[^/]+|leases|openapi\\.json|problems/.*)")
            .asMatchPredicate();

    private static final String CONSOLE = "/console";

    private final String context;
    private final String root;

    /**
     * A handler for one application.
     *
     * @param context the path of the application: nothing, or such as {@code /app}
     * @param root what comes before the paths of the routes in it: nothing, or such as {@code /api}
     */
    HeadHandler(String context, String root) {
        this.context = context;
        this.root = root;
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

    private boolean drawsNothing(String path) {
        String routes = context + root;
        return (path.startsWith(routes) && ROUTES.test(path.substring(routes.length())))
                || path.equals(context + "/")
                || path.equals(context + CONSOLE)
                || path.startsWith(context + CONSOLE + "/");
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
