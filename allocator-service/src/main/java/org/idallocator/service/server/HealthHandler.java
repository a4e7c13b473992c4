package org.idallocator.service.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.Connectors;

/**
 * Answers the health checks of load balancers as Dropwizard's servlet does, but never compressed. An answer takes as
 * little as a single ID, so clients that ask for health all the time keep nobody else from hearing in time. Every other
 * request goes on as it came: with another method, with a body, with a query for which there is no answer, of a page of
 * another origin where some may read answers, of the admin port, and of a server that stops. Thread-safe; never waits.
 */
final class HealthHandler extends Handler.Wrapper {
    private final Set<String> paths;
    private final HealthAnswers answers;
    private final List<HttpField> headers;
    private final boolean variesByOrigin;
    private final RequestMetrics.Outcome passed;
    private final RequestMetrics.Outcome failed;
    private final RequestMetrics.Outcome aborted;

    /**
     * A handler of health checks.
     *
     * @param paths the paths of health checks on the port
     * @param cacheControl what an answer tells caches; empty for nothing
     * @param variesByOrigin whether pages of some other origins may read answers; theirs the servlet answers
     * @param metrics counts the answers
     */
    HealthHandler(
            Set<String> paths,
            HealthAnswers answers,
            Optional<String> cacheControl,
            boolean variesByOrigin,
            RequestMetrics metrics) {
        this.paths = paths;
        this.answers = answers;
        this.variesByOrigin = variesByOrigin;
        List<HttpField> each = new ArrayList<>();
        each.add(new PreEncodedHttpField(
                HttpHeader.VARY, variesByOrigin ? "Accept-Encoding, Origin" : "Accept-Encoding"));
        cacheControl.ifPresent(value -> each.add(new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, value)));
        headers = List.copyOf(each);
        passed = metrics.outcome(RequestMetrics.OTHER, "GET", "200");
        failed = metrics.outcome(RequestMetrics.OTHER, "GET", "503");
        aborted = metrics.outcome(RequestMetrics.OTHER, "GET", RequestMetrics.ABORTED);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<HealthAnswers.Answer> answer = isPlain(request)
                ? answers.answer(
                        Optional.ofNullable(request.getHttpURI().getQuery()).orElse(""))
                : Optional.empty();
        if (answer.isEmpty()) {
            return super.handle(request, response, callback);
        }
        write(answer.get(), request, response, callback);
        return true;
    }

    private boolean isPlain(Request request) {
        return HttpMethod.GET.is(request.getMethod())
                && paths.contains(String.valueOf(request.getHttpURI().getPath()))
                && isPlain(request.getHeaders())
                && !Connectors.isOfAdminPort(request.getConnectionMetaData().getConnector())
                && getServer().isRunning();
    }

    private boolean isPlain(HttpFields headers) {
        return headers.getLongField(HttpHeader.CONTENT_LENGTH) <= 0 // -1 where the client says nothing of a body
                && !headers.contains(HttpHeader.TRANSFER_ENCODING)
                && !(variesByOrigin && headers.contains(HttpHeader.ORIGIN));
    }

    private void write(HealthAnswers.Answer answer, Request request, Response response, Callback callback) {
        response.setStatus(answer.status());
        headers.forEach(response.getHeaders()::add);
        response.getHeaders().add(HttpHeader.CONTENT_TYPE, answer.contentType());
        RequestMetrics.Outcome sent = answer.status() == HttpStatus.OK_200 ? passed : failed;
        response.write(true, answer.body().slice(), RequestMetrics.counting(sent, aborted, request, callback));
    }
}
