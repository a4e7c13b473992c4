package org.idallocator.dropwizard.resources;

import io.dropwizard.core.setup.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request as its answer ended, whatever the servlets say of that. Jersey and its interceptors keep for
 * themselves that a client has gone, and end the request in order. Jetty then takes the next request of the same
 * connection, as though its client were there; or it waits for ever for the end of an answer whose writes have failed.
 * So a request of which one write has failed, or whose answer was cut off, fails here: Jetty closes the connection, or
 * over HTTP/2 ends the stream. Nothing more is written then, so that a part of an answer never looks like the whole.
 * Thread-safe; never waits.
 */
final class AnswerEndHandler extends Handler.Wrapper {
    private static final String ANSWER = AnswerEndHandler.class.getName();

    /**
     * Has such a handler in front of all that the server has by the time it starts: what Jetty answers by itself is
     * written there, too.
     */
    static void install(Environment environment) {
        environment.lifecycle().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                if (event instanceof Server server) {
                    server.insertHandler(new AnswerEndHandler());
                }
            }
        });
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Answer answer = new Answer(request, response, callback);
        request.setAttribute(ANSWER, answer);
        return super.handle(request, answer, answer);
    }

    /**
     * Cuts off the answer to a request that came through such a handler: from now on every write fails, and so will the
     * request.
     */
    static void cutOff(Request request, Throwable why) {
        if (!(request.getAttribute(ANSWER) instanceof Answer answer)) {
            throw new IllegalStateException(
                    "no AnswerEndHandler is in front of " + request.getHttpURI().getPath());
        }
        answer.end(new IOException("the answer was cut off", why));
    }

    /** An answer and the end of its request, both of which fail once the answer cannot be had whole. */
    private static final class Answer extends Response.Wrapper implements Callback {
        private final Callback callback;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private volatile boolean begun;

        Answer(Request request, Response response, Callback callback) {
            super(request, response);
            this.callback = callback;
        }

        void end(Throwable why) {
            failure.compareAndSet(null, why);
        }

        @Override
        public void write(boolean last, @Nullable ByteBuffer content, Callback written) {
            Throwable before = failure.get();
            if (before != null) {
                written.failed(before);
                return;
            }
            begun = true;
            super.write(last, content, Callback.from(written.getInvocationType(), written::succeeded, why -> {
                end(why);
                written.failed(why);
            }));
        }

        /**
         * Whether an answer has begun, also once it has ended. Jetty forgets that then; and Dropwizard, where it finds
         * the compression of a body broken, asks afterwards, and would answer once more.
         */
        @Override
        public boolean isCommitted() {
            return begun || super.isCommitted();
        }

        @Override
        public void succeeded() {
            Throwable why = failure.get();
            if (why == null) {
                callback.succeeded();
            } else {
                callback.failed(why);
            }
        }

        @Override
        public void failed(Throwable why) {
            callback.failed(why);
        }

        @Override
        public InvocationType getInvocationType() {
            return callback.getInvocationType();
        }
    }
}
