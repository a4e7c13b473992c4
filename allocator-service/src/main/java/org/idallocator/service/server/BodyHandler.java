package org.idallocator.service.server;

import com.google.common.util.concurrent.MoreExecutors;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.http.BasePath;
import org.idallocator.service.ids.BusyException;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.Limit;
import org.idallocator.service.ids.Places;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Problems;
import org.idallocator.service.resources.HttpApi;
import org.jspecify.annotations.Nullable;

/**
 * Reads a POST's body before the next handler has the request, by no thread that waits. So many bodies are read at a time as a
 * limit says, as each is in memory until it is whole; one that comes with its head needs no place. Requests of other methods go on
 * without their body. Thread-safe; never waits.
 */
public final class BodyHandler extends Handler.Wrapper {
    private static final int SECONDS = 10;

    private final IdService ids;
    private final BasePath base;
    private final Predicate<String> exempt;
    private final Places places;
    /** One thread at a time reads bodies of many chunks, so that these have one processor at most. */
    private @Nullable Executor ofManyChunks;

    /**
     * A handler that reads as many bodies as {@code ids} has for a limit.
     *
     * @param base what comes before the paths of the routes
     * @param exempt whether requests of a path in the context go on as they came
     */
    BodyHandler(IdService ids, BasePath base, Predicate<String> exempt) {
        this.ids = ids;
        places = ids.places(Limit.BODIES);
        this.base = base;
        this.exempt = exempt;
    }

    @Override
    protected void doStart() throws Exception {
        ofManyChunks = MoreExecutors.newSequentialExecutor(getServer().getThreadPool());
        super.doStart();
    }

    /** How many bodies are being read now. */
    public int reading() {
        return places.taken();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (exempt.test(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        } else if (!HttpMethod.POST.is(request.getMethod())) { // Jersey would wait for a body, and has no use for it
            return super.handle(new WithBody(request, new byte[0]), response, callback);
        }
        CompletableFuture<byte[]> body =
                BodyReader.read(request, HttpApi.LARGEST_BODY, Objects.requireNonNull(ofManyChunks));
        if (body.isDone()) { // it came with its head, as most do
            goOnWith(body, () -> {}, request, response, callback);
        } else if (places.take()) {
            goOnWith(body.orTimeout(SECONDS, TimeUnit.SECONDS), places::giveBack, request, response, callback);
        } else {
            body.cancel(false); // nothing more is read
            ids.countBusy(Limit.BODIES);
            refuse(Problems.of(new BusyException(Limit.BODIES)), request, response, callback);
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
                } else { // at once: else Dropwizard answers a broken compressed body, too
                    refuse(unread(failure), request, response, callback);
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
    private static Problem unread(Throwable failure) {
        if (failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException) {
            return Problems.of(408, "the body came too slowly: it has to come within " + SECONDS + " s");
        }
        return failure instanceof BodyReader.TooLargeException
                ? Problems.of(413, "a body must be " + HttpApi.LARGEST_BODY + " bytes at most")
                : Problems.of(400, "the body cannot be read: it broke off, or its chunks are wrong");
    }

    /** The rest of the body may be on its way: no request can follow. */
    private void refuse(Problem why, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        AdmissionHandler.refuse(why, base, request, response, callback);
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
