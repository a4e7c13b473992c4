package org.idallocator.dropwizard.resources;

import io.dropwizard.core.setup.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Fails a request whose answer has failed, whatever the servlets report. When a client goes away, Jersey and its
 * interceptors keep that for themselves, and end the request in order. Jetty would then take the next request of the
 * connection as though the client were there, or wait for ever for the end of the answer. So this handler fails a
 * request when one of its writes has failed, or when its answer was cut off. Jetty then closes the connection, or the
 * stream of HTTP/2. Nothing more is written, and what has no length comes in chunks, so a part of an answer never looks
 * like the whole. Thread-safe; never waits.
 */
final class AnswerEndHandler extends Handler.Wrapper {
    private static final String ANSWER = AnswerEndHandler.class.getName();

    /**
     * Puts a handler in front of all handlers that the server has when it starts, because Jetty's own answers are
     * written there as well.
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
     * Cuts off the answer to a request that came through this handler: every later write fails, and so does the
     * request.
     *
     * @throws IllegalStateException when the request did not come through this handler
     */
    static void cutOff(Request request, Throwable why) {
        if (!(request.getAttribute(ANSWER) instanceof Answer answer)) {
            throw new IllegalStateException(
                    "no AnswerEndHandler is in front of " + request.getHttpURI().getPath());
        }
        answer.end(new IOException("the answer was cut off", why));
    }

    /**
     * An answer, and the callback that ends its request. Both fail after the first failed write, or when the answer is
     * cut off.
     */
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
            if (!begun && !last) {
                sayThatChunksCome();
            }
            begun = true;
            super.write(last, content, Callback.from(written.getInvocationType(), written::succeeded, why -> {
                end(why);
                written.failed(why);
            }));
        }

        /**
         * Jetty sends an answer without a length in chunks, but not where the connection ends with it: then the end of
         * the connection would be the end of the answer, cut off or not.
         */
        private void sayThatChunksCome() {
            boolean chunks = getRequest().getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
            if (chunks && !getHeaders().contains(HttpHeader.CONTENT_LENGTH)) {
                getHeaders().put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED);
            }
        }

        /**
         * Whether an answer has begun, also after it has ended. Jetty forgets that at the end, and Dropwizard asks
         * afterwards, when the compression of a request body is broken; it would then answer a second time.
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
