package org.idallocator.service.problems;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.idallocator.service.api.AnswerMapper;

/** How the allocator's own servlets answer what they refuse: as a problem in JSON, or as its one line. */
public final class ServletProblems {
    private ServletProblems() {}

    /** Answers in JSON, or as one line to a client that prefers text. */
    public static void refuse(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        write(refusal, TextPreference.ofValues(Collections.list(request.getHeaders("Accept"))), response);
    }

    /** Answers as one line where {@code text} says so, else in JSON. */
    public static void write(Refusal refusal, boolean text, HttpServletResponse response) throws IOException {
        Problem problem = refusal.problem();
        refusal.retryAfter().ifPresent(seconds -> response.setHeader("Retry-After", Long.toString(seconds)));
        byte[] body = text ? problem.line().getBytes(StandardCharsets.UTF_8) : AnswerMapper.bytes(problem);
        response.setStatus(problem.status());
        response.setContentType(text ? Problem.LINE_TYPE : Problem.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
