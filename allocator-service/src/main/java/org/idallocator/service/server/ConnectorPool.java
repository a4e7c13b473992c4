package org.idallocator.service.server;

import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The hop from a selector's thread, which must not wait, to the pool of threads that serves the connector, which may.
 */
final class ConnectorPool {
    private ConnectorPool() {}

    /**
     * Has a handler answer a request on the pool, in any case, as Jetty does: with 404 where the handler does not take
     * the request, with an error where it throws.
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
     * Where no thread can be had, closes the connection, as Jetty does: nothing was drawn. Throws nothing, whatever the
     * pool throws.
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
