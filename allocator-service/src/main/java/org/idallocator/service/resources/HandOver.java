package org.idallocator.service.resources;

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
class HandOver extends Handler.Wrapper {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!Invocable.isNonBlockingInvocation()) {
            return super.handle(request, response, callback);
        }
        Handler next = getHandler();
        onPool(request, () -> request.getContext().run(() -> pass(next, request, response, callback), request));
        return true;
    }

    /** Runs a task on the pool of threads that serves the request's connector. */
    static void onPool(Request request, Runnable task) {
        request.getConnectionMetaData().getConnector().getExecutor().execute(task);
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
