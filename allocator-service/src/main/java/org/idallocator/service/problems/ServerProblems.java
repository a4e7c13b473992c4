package org.idallocator.service.problems;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.api.AnswerMapper;
import org.jspecify.annotations.Nullable;

/**
 * Answers the errors of the web server itself, such as a path that is too long or cannot be read, as problems: in JSON, or as one
 * line to a client that prefers text. Jetty would answer in HTML. Thread-safe.
 */
public final class ServerProblems extends ErrorHandler {
    private static final String NO_STORE = "no-store";

    public ServerProblems() {
        setShowStacks(false);
        setCacheControl(NO_STORE);
    }

    /** Every method is told what is wrong. */
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
            Callback callback)
            throws IOException {
        String told = code == HttpStatus.METHOD_NOT_ALLOWED_405 ? methods(request, response, message) : message;
        write(Refusal.ofServer(code, told).problem(), request, response, callback);
    }

    /** Puts {@code Allow} into the answer, and says what it has, unless whoever refuses has done both. */
    private static @Nullable String methods(Request request, Response response, @Nullable String message) {
        List<String> ofServlet = TakenMethods.ofServlet(request);
        List<String> taken = ofServlet.isEmpty() ? TakenMethods.ofServer(request) : ofServlet;
        if (taken.isEmpty() || response.getHeaders().contains(HttpHeader.ALLOW)) {
            return message;
        }
        String allowed = String.join(", ", taken);
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        return (ofServlet.isEmpty() ? "the web server takes (server.allowedMethods) " : "this path takes ") + allowed
                + ": " + request.getMethod();
    }

    /**
     * Answers a request with a refusal, in front of the servlets. Does not wait.
     *
     * @param root what the routes are below, such as {@code /}
     */
    public static void refuse(Refusal refusal, String root, Request request, Response response, Callback callback)
            throws IOException {
        refusal.retryAfter().ifPresent(seconds -> response.getHeaders().put(HttpHeader.RETRY_AFTER, seconds));
        write(refusal.problem().withHelp(root), request, response, callback);
    }

    /** Answers a request with a problem: in JSON, or as one line to a client that prefers text. */
    public static void write(Problem problem, Request request, Response response, Callback callback)
            throws IOException {
        boolean text = TextPreference.ofValues(request.getHeaders().getValuesList(HttpHeader.ACCEPT));
        byte[] body = text ? problem.line().getBytes(StandardCharsets.UTF_8) : AnswerMapper.bytes(problem);
        response.setStatus(problem.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, text ? Problem.LINE_TYPE : Problem.MEDIA_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, NO_STORE);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
