package org.idallocator.service.server;

import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers the health checks of load balancers as Dropwizard's servlet does. An answer takes as little as a single ID,
 * so clients that ask for health all the time keep nobody else from hearing in time. Requests with another method, and
 * with a query for which there is no answer, go on to the servlet. Thread-safe; never waits.
 */
final class HealthHandler extends Handler.Wrapper {
    private final Set<String> paths;
    private final HealthAnswers answers;
    private final Optional<String> cacheControl;

    /**
     * A handler of health checks.
     *
     * @param paths the paths of health checks in the context
     * @param cacheControl what an answer tells caches; empty for nothing
     */
    HealthHandler(Set<String> paths, HealthAnswers answers, Optional<String> cacheControl) {
        this.paths = paths;
        this.answers = answers;
        this.cacheControl = cacheControl;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!HttpMethod.GET.is(request.getMethod()) || !paths.contains(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        }
        String query = Optional.ofNullable(request.getHttpURI().getQuery()).orElse("");
        Optional<HealthAnswers.Answer> answer = answers.answer(query);
        if (answer.isEmpty()) {
            return super.handle(request, response, callback);
        }
        write(answer.get(), response, callback);
        return true;
    }

    private void write(HealthAnswers.Answer answer, Response response, Callback callback) {
        response.setStatus(answer.status());
        cacheControl.ifPresent(value -> response.getHeaders().put(HttpHeader.CACHE_CONTROL, value));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.write(true, answer.body().slice(), callback);
    }
}
