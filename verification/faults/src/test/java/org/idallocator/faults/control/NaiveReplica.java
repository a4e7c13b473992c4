package org.idallocator.faults.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.SnoScheme;

/**
 * A service as many are: each slot is an EPHEMERAL node, and issuing stops when Curator says LOST. Without records
 * there are neither floors nor ceilings, without deadlines nothing ends before LOST. Its generator and its text are the
 * real ones.
 *
 * <p>Arguments: port, ZooKeeper's addresses, session timeout in milliseconds, number of slots, whether it is stubborn.
 */
public final class NaiveReplica {
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);
    private static final int CHUNK = 4_096;

    private final NaiveLease lease;
    private final IdGenerator<Sno> generator;

    private NaiveReplica(String connect, int sessionMillis, int slots, boolean stubborn) {
        SnoScheme scheme = new SnoScheme(0, 1, slots);
        lease = new NaiveLease(connect, sessionMillis, slots, stubborn, scheme);
        generator = scheme.generator(lease, MAX_WAIT, Clock.system());
    }

    public static void main(String[] arguments) throws IOException {
        NaiveReplica replica = new NaiveReplica(
                arguments[1],
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Boolean.parseBoolean(arguments[4]));
        replica.lease.start();
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/health-check", exchange -> answer(exchange, 200, ""));
        server.createContext("/ids/sno", replica::draw);
        server.start();
    }

    private void draw(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        int count = query == null ? 1 : Integer.parseInt(query.substring("count=".length()));
        try {
            lease.current();
        } catch (FencedException e) {
            answer(exchange, 503, e.reason().sentence());
            return;
        }
        exchange.sendResponseHeaders(200, (long) count * (Sno.TEXT_LENGTH + 1));
        try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 1 << 16)) {
            for (int left = count; left > 0; left -= CHUNK) {
                StringBuilder text = new StringBuilder();
                generator.next(
                        Math.min(left, CHUNK),
                        (high, low) -> text.append(new Sno(high, low)).append('\n'));
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            }
        } catch (FencedException e) {
            throw new IOException("cut off", e); // which makes the server close the connection
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
