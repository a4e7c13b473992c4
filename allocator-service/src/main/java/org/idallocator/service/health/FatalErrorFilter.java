package org.idallocator.service.health;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** The outermost on the way of every request: shows {@link FatalErrors} what nothing further in has caught. */
public final class FatalErrorFilter implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (Throwable e) {
            FatalErrors.endIfFatal(e);
            throw e;
        }
    }
}
