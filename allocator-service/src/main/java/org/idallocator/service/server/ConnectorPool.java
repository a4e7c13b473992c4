package org.idallocator.service.server;

import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Moves a request from a selector's thread, which must not wait, to the connector's thread pool, whose threads may
 * wait.
 */
final class ConnectorPool {
    private ConnectorPool() {}

    /**
     * Has {@code next} handle a request on the pool. Answers for {@code next} as Jetty does: with 404 where
     * {@code next} does not take the request, and with an error where {@code next} throws.
     */
    static void handle(Request.Handler next, Request request, Response response, Callback callback) {
        Runnable handle = () -> {
            try {
                if (!next.handle(request, response, callback)) {
                    Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
                }
            } catch (Throwable e) {
                callback.failed(e);
            }
        };
        Executor pool = request.getConnectionMetaData().getConnector().getExecutor();
        execute(pool, request, callback, () -> request.getContext().run(handle, request));
    }

    /**
     * Runs a task of a request on a pool. Where the pool has no thread for the task, closes the connection, as Jetty
     * does; nothing was drawn then. Throws nothing that the pool throws.
     */
    static void execute(Executor pool, Request request, Callback callback, Runnable task) {
        try {
            pool.execute(task);
        } catch (Throwable e) { // the server stops, or there is no memory for a thread
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.failed(e); // Jetty logs that, and sends no error any more
        }
    }
}
