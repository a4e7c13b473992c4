package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.problems.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What all answers have in common, errors included. No cache may keep an answer, so that none hands out an ID twice. The JSON
 * has the same shape in every program, however the program's own JSON looks.
 */
class AnswerFilter implements ContainerResponseFilter {
    /** What every answer says to caches. */
    static final String NO_STORE = "no-store";

    @Context
    private @Nullable HttpServletResponse servlet;

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response)
            throws JsonProcessingException {
        response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, NO_STORE);
        response.getHeaders().putSingle(HttpHeaders.VARY, vary(servlet));
        if (response.getEntity() instanceof Problem problem) {
            response.setEntity(AnswerMapper.bytes(problem));
        }
    }

    /** What an answer depends on; also the origin, where pages of other origins may ask. Jersey replaces what is there. */
    private static String vary(@Nullable HttpServletResponse servlet) {
        return servlet != null
                        && servlet.getHeaders(HttpHeaders.VARY).toString().contains("Origin")
                ? HttpHeaders.ACCEPT + ", Origin"
                : HttpHeaders.ACCEPT;
    }
}
