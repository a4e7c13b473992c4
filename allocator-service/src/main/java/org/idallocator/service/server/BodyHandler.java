package org.idallocator.service.server;

import com.google.common.util.concurrent.MoreExecutors;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.BodyLimit;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Places;
import org.idallocator.dropwizard.problems.Problem;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;

/**
 * Reads a POST's body before the next handler has the request, by no thread that waits. So many bodies are read at a
 * time as a limit says, as each is in memory until it is whole; one that comes with its head needs no place. Requests
 * of other methods go on without their body. Thread-safe; never waits.
 */
final class BodyHandler extends Handler.Wrapper {
    /** How long a body may take. */
    static final Duration LONGEST = Duration.ofSeconds(10);

    private final Places places;
    private final Predicate<String> exempt;
    private final Refusals refusals;
    /** One thread at a time reads bodies of many chunks, so that these have one processor at most. */
    private final Executor ofManyChunks;

    private final Duration longest;

    /**
     * A handler that reads as many bodies as {@code ids} has for a limit, each for {@link #LONGEST}.
     *
     * @param exempt whether requests of a path in the context go on as they came
     * @param pool has the thread that reads bodies of many chunks
     */
    BodyHandler(IdService ids, Predicate<String> exempt, Refusals refusals, Executor pool) {
        this(ids, exempt, refusals, pool, LONGEST);
    }

    /** The same where a body may take another time, of whole seconds. */
    BodyHandler(IdService ids, Predicate<String> exempt, Refusals refusals, Executor pool, Duration longest) {
        places = ids.places(Limit.BODIES);
        this.exempt = exempt;
        this.refusals = refusals;
        ofManyChunks = MoreExecutors.newSequentialExecutor(pool);
        this.longest = longest;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (exempt.test(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        } else if (!HttpMethod.POST.is(request.getMethod())) { // Jersey would wait for a body, and has no use for it
            return super.handle(new WithBody(request, new byte[0]), response, callback);
        }
        CompletableFuture<byte[]> body = BodyReader.read(request, BodyLimit.BYTES, ofManyChunks);
        if (body.isDone()) { // it came with its head, as most do
            goOnWith(body, () -> {}, request, response, callback);
        } else if (places.take()) {
            goOnWith(
                    body.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS),
                    places::giveBack,
                    request,
                    response,
                    callback);
        } else {
            body.cancel(false); // nothing more is read
            refusals.refuseUnread(Limit.BODIES, request, response, callback);
        }
        return true;
    }

    /** A time that has passed is noticed by a thread of the JDK's. */
    private void goOnWith(
            CompletableFuture<byte[]> body, Runnable ended, Request request, Response response, Callback callback) {
        var unused = body.whenComplete((bytes, failure) -> {
            ended.run();
            try {
                if (failure == null) {
                    goOn(new WithBody(request, bytes), response, callback);
                } else {
                    refusals.refuseUnread(unread(failure), request, response, callback);
                }
            } catch (Throwable e) { // nobody else would see it, and the client would wait in vain
                callback.failed(e);
            }
        });
    }

    private void goOn(Request request, Response response, Callback callback) throws Exception {
        if (!super.handle(request, response, callback)) {
            Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
        }
    }

    /** What the client is told whose body cannot be read. */
    private Problem unread(Throwable failure) {
        if (failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException) {
            return Problems.of(
                    ProblemType.REQUEST_TIMEOUT,
                    "the body came too slowly: it has to come within " + longest.toSeconds() + " s");
        }
        return failure instanceof BodyReader.TooLargeException
                ? Problems.of(ProblemType.BODY_TOO_LARGE, BodyLimit.EXCEEDED)
                : Problems.of(
                        ProblemType.BAD_REQUEST, "the body cannot be read: it broke off, or its chunks are wrong");
    }

    /** A request whose body was read. */
    private static final class WithBody extends Request.Wrapper {
        private final Content.Source body;

        WithBody(Request request, byte[] bytes) {
            super(request);
            body = Content.Source.from(ByteBuffer.wrap(bytes));
        }

        @Override
        public Content.Chunk read() {
            return body.read();
        }

        @Override
        public void demand(Runnable demandCallback) {
            body.demand(demandCallback);
        }

        @Override
        public long getLength() {
            return body.getLength();
        }
    }
}
