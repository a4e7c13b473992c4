package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;

/**
 * No cache may keep an answer, so that none hands out an ID twice. An answer depends on {@code Accept}, and on the origin where pages of
 * other origins may ask.
 */
final class AnswerHeaders implements ContainerResponseFilter {
    private final HttpServletResponse servlet;

    /** {@code servlet} is the answer at hand. */
    AnswerHeaders(@Context HttpServletResponse servlet) {
        this.servlet = servlet;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        boolean byOrigin = servlet.getHeaders(HttpHeaders.VARY).toString().contains("Origin"); // Jersey replaces them
        response.getHeaders().putSingle(HttpHeaders.VARY, byOrigin ? "Accept, Origin" : "Accept");
        response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}
