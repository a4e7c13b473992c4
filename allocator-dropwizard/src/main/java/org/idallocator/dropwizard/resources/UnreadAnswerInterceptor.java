package org.idallocator.dropwizard.resources;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a route's answer, and logs at debug when it cannot be sent because the client has gone or reads nothing. Jetty
 * would log each of these as an error of the program, with its stack trace. {@link AnswerEndHandler} still fails the
 * request. Dropwizard's interceptor does the same, but only for clients that have gone, and not at the end of an
 * answer.
 */
@Priority(Priorities.HEADER_DECORATOR)
final class UnreadAnswerInterceptor implements WriterInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswerInterceptor.class);

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        try {
            context.proceed();
            context.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("the client has gone, or reads nothing", e);
        }
    }
}
