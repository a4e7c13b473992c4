package org.idallocator.bench.process;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.idallocator.core.clock.Clock;

/**
 * What any server of Jetty needs at least to send bytes: one handler, which makes nothing, and sends the same bytes
 * again and again. Answers {@code GET /<number of bytes>}. A piece or less is written without waiting. More are written
 * piece by piece, each of which may wait for the client.
 */
public final class ReadyBytes extends Handler.Abstract {
    /** On a thread of the pool, as handlers run that may wait. */
    public static final String POOL = "pool";
    /**
     * The same, and no more than {@value #IN_TICK} in a millisecond, as one slot has eightbytes: whoever comes later
     * waits for the next.
     */
    public static final String TICKS = "ticks";
    /** On the selector's thread, as handlers run that never wait: for a piece or less. */
    public static final String SELECTOR = "selector";

    private static final int IN_TICK = 64;

    private static final int PIECE = 64 * 1_024; // as large as the pieces in which the service writes

    /** What the service's answers have, too. */
    private static final List<HttpField> HEAD = List.of(
            new PreEncodedHttpField(HttpHeader.VARY, "Accept"),
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain"),
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store"));

    private final byte[] ready = new byte[PIECE];
    private final boolean ticks;
    private long tick; // guarded by this
    private int used; // guarded by this: how many answers of the tick

    private ReadyBytes(InvocationType type, boolean ticks) {
        super(type);
        this.ticks = ticks;
        Arrays.fill(ready, (byte) '2');
    }

    /**
     * Arguments are the thread, {@link #POOL}, {@link #TICKS} or {@link #SELECTOR}, and the port on the loopback
     * interface.
     */
    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[1]));
        server.addConnector(connector);
        InvocationType type = arguments[0].equals(SELECTOR) ? InvocationType.NON_BLOCKING : InvocationType.BLOCKING;
        server.setHandler(new ReadyBytes(type, arguments[0].equals(TICKS)));
        server.start();
        server.join();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        long left = Long.parseLong(Request.getPathInContext(request).substring(1));
        if (ticks) {
            awaitTick();
        }
        HEAD.forEach(response.getHeaders()::add);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, left);
        while (left > PIECE) {
            left -= PIECE;
            Content.Sink.write(response, false, ByteBuffer.wrap(ready));
        }
        response.write(true, ByteBuffer.wrap(ready, 0, (int) left), callback);
        return true;
    }

    private void awaitTick() {
        for (long micros = Clock.system().micros();
                !takes(micros / 1_000);
                micros = Clock.system().micros()) {
            LockSupport.parkNanos(1_000 * (1_000 - micros % 1_000));
        }
    }

    private synchronized boolean takes(long millis) {
        if (millis > tick) {
            tick = millis;
            used = 0;
        }
        return used++ < IN_TICK;
    }
}
