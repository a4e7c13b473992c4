package org.idallocator.dropwizard.problems;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Answers the web server's own errors as problems, for example a path that is too long or cannot be read: in JSON, or
 * as one line to a client that prefers text. Jetty would answer in HTML. Handlers in front of the servlets answer by
 * {@link #write}. Thread-safe.
 */
public final class ProblemErrorHandler extends ErrorHandler {
    /** Requests of every method get an answer that says what is wrong. */
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        write(request, response, callback, Problems.ofStatus(code, message));
    }

    /** Answers a request with a problem: in JSON, or as one line to a client that prefers text. Does not wait. */
    public static void write(Request request, Response response, Callback callback, Problem problem) {
        boolean text = AcceptHeader.prefersPlainText(request.getHeaders().getValuesList(HttpHeader.ACCEPT));
        byte[] body = problem.body(text);
        HttpFields.Mutable headers = response.getHeaders();
        problem.retryAfter().ifPresent(seconds -> headers.put(HttpHeader.RETRY_AFTER, seconds));
        headers.put(HttpHeader.CONTENT_TYPE, Problem.mediaType(text));
        CommonHeaders.EVERYWHERE.putInto(response);
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        response.setStatus(problem.status());
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
