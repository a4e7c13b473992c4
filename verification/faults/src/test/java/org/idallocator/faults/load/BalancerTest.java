package org.idallocator.faults.load;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BalancerTest {
    private final List<HttpServer> servers = new ArrayList<>();
    private final AtomicInteger health = new AtomicInteger(200);

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private Target ready(AtomicInteger status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health-check", exchange -> {
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.start();
        servers.add(server);
        int port = server.getAddress().getPort();
        return new Target(URI.create("http://127.0.0.1:" + port), new Track("r" + servers.size(), 0));
    }

    @Test
    void shouldAskOthersUntilAnAnswerBeginsButNotMoreThanThree() throws IOException {
        Target one = ready(health);
        Target two = ready(health);
        try (Balancer balancer = new Balancer(List.of(one, two), new Track("lb", 0), HangGuard.TIME)) {
            await().until(() -> balancer.ready().size() == 2);
            List<Target> asked = new ArrayList<>();
            Outcome outcome = balancer.send(target -> {
                asked.add(target);
                return asked.size() == 1 ? Outcome.REFUSED : Outcome.OK;
            });
            assertEquals(Outcome.OK, outcome);
            assertEquals(2, asked.stream().distinct().count());

            asked.clear();
            balancer.send(target -> {
                asked.add(target);
                return Outcome.EMPTY;
            });
            assertEquals(4, asked.size());

            asked.clear();
            balancer.send(target -> {
                asked.add(target);
                return Outcome.CUT_OFF;
            });
            assertEquals(1, asked.size());
        }
    }

    @Test
    void shouldTakeNobodyWhoIsNotReady() throws IOException {
        AtomicInteger fenced = new AtomicInteger(503);
        Target one = ready(health);
        try (Balancer balancer = new Balancer(List.of(one, ready(fenced)), new Track("lb", 0), HangGuard.TIME)) {
            await().until(() -> balancer.ready().equals(List.of(one)));
            health.set(503);
            await().until(() -> balancer.ready().isEmpty());
            assertEquals(Outcome.NOBODY, balancer.send(target -> Outcome.OK));
        }
    }
}
