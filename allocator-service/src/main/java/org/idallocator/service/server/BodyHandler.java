package org.idallocator.service.server;

import com.google.common.util.concurrent.MoreExecutors;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
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
import org.idallocator.dropwizard.ids.BusyException;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Places;
import org.idallocator.dropwizard.problems.Problem;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;

/**
 * Reads the body of a POST before the next handler gets the request. No thread waits for the body. Each body is kept in
 * memory until it is whole, so a limit bounds how many are read at a time. A body that comes together with its head
 * counts as read at once, and needs no place. A request of another method goes on without its body. Thread-safe; never
 * waits.
 */
final class BodyHandler extends Handler.Wrapper {
    /** How long a body may take to come. */
    static final Duration MAX_DURATION = Duration.ofSeconds(10);

    private final Places places;
    private final Predicate<String> exempt;
    private final Refusals refusals;
    /** Reads the bodies of many chunks on one thread at a time, so that they take one processor at most. */
    private final Executor manyChunksExecutor;

    private final Duration maxDuration;

    /**
     * A handler that reads as many bodies at a time as {@code ids} allows for {@link Limit#BODIES}, each within
     * {@link #MAX_DURATION}.
     *
     * @param exempt tells of a path in the context whether its requests go on as they came
     * @param pool has the thread that reads bodies of many chunks
     */
    BodyHandler(IdService ids, Predicate<String> exempt, Refusals refusals, Executor pool) {
        this(ids, exempt, refusals, pool, MAX_DURATION);
    }

    /** The same with another time that a body may take, in whole seconds. */
    BodyHandler(IdService ids, Predicate<String> exempt, Refusals refusals, Executor pool, Duration maxDuration) {
        places = ids.places(Limit.BODIES);
        this.exempt = exempt;
        this.refusals = refusals;
        manyChunksExecutor = MoreExecutors.newSequentialExecutor(pool);
        this.maxDuration = maxDuration;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (exempt.test(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        } else if (!HttpMethod.POST.is(request.getMethod())) { // Jersey would wait for a body, and has no use for it
            return super.handle(new RequestWithBody(request, new byte[0]), response, callback);
        }
        BodyReader reader = BodyReader.start(request, BodyLimit.BYTES, manyChunksExecutor);
        if (reader.body().isDone()) { // it came with its head, as most do
            handleOnceRead(reader, () -> {}, request, response, callback);
            return true;
        }
        Optional<Places.Place> place = places.take();
        handleOnceRead(reader, () -> place.ifPresent(Places.Place::close), request, response, callback);
        if (place.isPresent()) {
            giveUpInTime(reader);
        } else {
            reader.giveUp(new BusyException(Limit.BODIES));
        }
        return true;
    }

    /** Gives up a body that takes too long. A thread of the JDK's notices that, and leaves the rest to another. */
    private void giveUpInTime(BodyReader reader) {
        var unused = reader.body()
                .copy()
                .orTimeout(maxDuration.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((bytes, failure) -> {
                    if (failure instanceof TimeoutException) {
                        reader.giveUpLater(failure);
                    }
                });
    }

    /** Handles the request once its body is read, or refuses it once the body has failed. Runs {@code ended} first. */
    private void handleOnceRead(
            BodyReader reader, Runnable ended, Request request, Response response, Callback callback) {
        var unused = reader.body().whenComplete((bytes, failure) -> {
            ended.run();
            try {
                if (failure == null) {
                    handleNext(new RequestWithBody(request, bytes), response, callback);
                } else if (failure instanceof BusyException) {
                    refusals.refuseAtOnce(Limit.BODIES, request, response, callback);
                } else {
                    refusals.refuseAtOnce(problem(failure), request, response, callback);
                }
            } catch (Throwable e) { // nobody else would see it, and the client would wait in vain
                callback.failed(e);
            }
        });
    }

    private void handleNext(Request request, Response response, Callback callback) throws Exception {
        if (!super.handle(request, response, callback)) {
            Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
        }
    }

    /** What the client is told whose body could not be read. */
    private Problem problem(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return Problems.of(
                    ProblemType.REQUEST_TIMEOUT,
                    "the body came too slowly: it has to come within " + maxDuration.toSeconds() + " s");
        }
        return failure instanceof BodyReader.TooLargeException
                ? Problems.of(ProblemType.BODY_TOO_LARGE, BodyLimit.EXCEEDED)
                : Problems.of(
                        ProblemType.BAD_REQUEST, "the body cannot be read: it broke off, or its chunks are wrong");
    }

    /** A request whose body was read. */
    private static final class RequestWithBody extends Request.Wrapper {
        private final Content.Source body;

        RequestWithBody(Request request, byte[] bytes) {
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
