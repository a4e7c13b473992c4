package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.UriInfo;

/** One request for IDs, as Jersey gives it. */
final class Asked {
    private final String scheme;
    private final UriInfo uri;
    private final Request request;
    private final HttpHeaders headers;
    private final HttpServletRequest servletRequest;

    /** Jersey calls this. */
    public Asked(
            @PathParam("scheme") String scheme,
            @Context UriInfo uri,
            @Context Request request,
            @Context HttpHeaders headers,
            @Context HttpServletRequest servletRequest) {
        this.scheme = scheme;
        this.uri = uri;
        this.request = request;
        this.headers = headers;
        this.servletRequest = servletRequest;
    }

    /** The scheme's name. */
    String scheme() {
        return scheme;
    }

    UriInfo uri() {
        return uri;
    }

    Request request() {
        return request;
    }

    HttpHeaders headers() {
        return headers;
    }

    HttpServletRequest servletRequest() {
        return servletRequest;
    }
}
