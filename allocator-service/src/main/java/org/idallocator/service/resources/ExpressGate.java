package org.idallocator.service.resources;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * The outermost handler of a server with an {@link ExpressLane}: lets requests in on the thread on which Jetty calls it, the selector's,
 * which serves many connections. Whatever may wait stands behind a {@link HandOver}.
 */
final class ExpressGate extends Handler.Wrapper {

    /**
     * Whatever the handlers behind it do: those that may wait are not called on the thread that calls this one. The server asks when
     * all handlers have their places. Where another one stands before this, or there is a log, a selector's thread must not come here.
     */
    @Override
    public InvocationType getInvocationType() {
        Server server = getServer();
        return server.getHandler() == this && server.getRequestLog() == null
                ? InvocationType.NON_BLOCKING
                : InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Server server = getServer();
        if (server.getInvocationType() != InvocationType.NON_BLOCKING) {
            return super.handle(request, response, callback);
        }
        Runnable pass = () -> HandOver.pass(getHandler(), request, response, callback);
        boolean logged = server.getRequestLog() != null; // since the start
        if (!logged && isAlone(request)) {
            Invocable.invokeNonBlocking(pass);
        } else {
            HandOver.onPool(request, callback, pass);
        }
        return true;
    }

    /**
     * Whether nothing has come behind the request on its connection. Jetty handles requests that came together one after another on
     * one thread: a client that sends without end would keep the selector from all others.
     */
    private static boolean isAlone(Request request) {
        return request.getConnectionMetaData().getConnection() instanceof HttpConnection http
                && http.isRequestBufferEmpty();
    }
}
