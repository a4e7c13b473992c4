package org.idallocator.bench.batches;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * What any server of Jetty needs at least to send many bytes: nothing is made, the same bytes go out again and again. Answers
 * {@code GET /<number of bytes>}. Its argument is the port, on the loopback interface.
 */
public final class ReadyBytes {
    private static final int PIECE = 64 * 1_024; // as large as the pieces in which the service writes

    private ReadyBytes() {}

    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        server.addConnector(connector);
        server.setHandler(new Sending());
        server.start();
        server.join();
    }

    private static final class Sending extends Handler.Abstract {
        private final byte[] ready = new byte[PIECE];

        Sending() {
            Arrays.fill(ready, (byte) 'x');
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            long left = Long.parseLong(Request.getPathInContext(request).substring(1));
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, left);
            while (left > 0) {
                int piece = (int) Math.min(left, PIECE);
                left -= piece;
                Content.Sink.write(response, left == 0, ByteBuffer.wrap(ready, 0, piece));
            }
            callback.succeeded();
            return true;
        }
    }
}
