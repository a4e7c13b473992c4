package org.idallocator.service.resources;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;

/** Keeps caches from handing out an ID twice, errors included. */
public final class CacheHeaders implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
        response.getHeaders().putSingle(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    }
}
