package org.idallocator.service.resources;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Stands before what may wait. A request that comes on the selector's thread goes on from here on a thread of the pool; every
 * other one goes on as it came.
 */
final class HandOver extends Handler.Wrapper {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!Invocable.isNonBlockingInvocation()) {
            return super.handle(request, response, callback);
        }
        Handler next = getHandler();
        onPool(
                request,
                callback,
                () -> request.getContext().run(() -> pass(next, request, response, callback), request));
        return true;
    }

    /**
     * Runs a task, which completes the callback, on the pool of threads that serves the request's connector. Where the pool takes no
     * more, closes the connection, as Jetty does with those that it cannot hand over itself: nothing was drawn.
     */
    static void onPool(Request request, Callback callback, Runnable task) {
        run(request.getConnectionMetaData().getConnector().getExecutor(), request, callback, task);
    }

    /** The same on other threads. */
    static void run(Executor executor, Request request, Callback callback, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.failed(e); // Jetty logs that, and sends no error any more
        }
    }

    /** Has a request answered in any case, as Jetty does: with 404 where nobody takes the request, with an error where somebody throws. */
    static void pass(@Nullable Handler next, Request request, Response response, Callback callback) {
        try {
            if (next == null || !next.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) {
            callback.failed(e);
        }
    }
}
