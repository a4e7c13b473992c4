package org.idallocator.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** A Jetty with one handler, which writes 17 ready bytes: as many as a sno and a newline have. */
public final class ReadyBytes extends Handler.Abstract {
    /** On a thread of the pool, as handlers run that may wait. */
    static final String POOL = "pool";
    /** On the selector's thread, as handlers run that never wait. */
    static final String SELECTOR = "selector";

    private static final byte[] BYTES = "2222222222222222\n".getBytes(StandardCharsets.US_ASCII);

    private ReadyBytes(InvocationType type) {
        super(type);
    }

    /** Arguments are the thread, {@link #POOL} or {@link #SELECTOR}, and the port on loopback. */
    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[1]));
        server.addConnector(connector);
        boolean pool = arguments[0].equals(POOL);
        server.setHandler(new ReadyBytes(pool ? InvocationType.BLOCKING : InvocationType.NON_BLOCKING));
        server.start();
        server.join();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, BYTES.length);
        response.write(true, ByteBuffer.wrap(BYTES), callback);
        return true;
    }
}
