package org.idallocator.dropwizard.resources;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import org.idallocator.dropwizard.http.CommonHeaders;

/** Puts the {@link CommonHeaders} into the answers of Jersey. */
final class CommonHeadersFilter implements ContainerResponseFilter {
    private final HttpServletResponse servlet;

    /** {@code servlet} is the answer of the request at hand. */
    CommonHeadersFilter(@Context HttpServletResponse servlet) {
        this.servlet = servlet;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        boolean byOrigin =
                servlet.getHeaders(HttpHeaders.VARY).toString().contains("Origin"); // Jersey replaces these headers
        CommonHeaders.varying(byOrigin).putInto(response.getHeaders());
        CommonHeaders.EVERYWHERE.putInto(response.getHeaders());
    }
}
