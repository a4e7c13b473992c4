package com.example.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class IdsFactoryTest {
    private static final String ID = "9q7qmwq2222dhi22";

    private static EmbeddedServer server;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        server = ApplicationContext.run(EmbeddedServer.class, Map.of("micronaut.server.port", -1));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(server.getURI().resolve(path)).build(), BodyHandlers.ofString());
    }

    @Test
    void shouldReadAndWriteIdsInJson() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.getURI().resolve("/orders"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"id\":\"" + ID + "\",\"what\":\"tea\"}"))
                .build();

        assertEquals(
                "{\"id\":\"9d5ve82222222222\",\"what\":\"tea instead of " + ID + "\"}",
                client.send(request, BodyHandlers.ofString()).body());
    }

    @Test
    void shouldReadIdsInPathsAndQueries() throws Exception {
        assertEquals("order " + ID, get("/orders/" + ID).body());
        assertEquals("orders after " + ID, get("/orders?after=" + ID).body());
    }

    @Test
    void shouldRefuseWhatIsNoId() throws Exception {
        HttpResponse<String> refused = get("/orders/bad");
        assertEquals(400, refused.statusCode());
        assertTrue(refused.body().contains("16"), refused::body); // how long an ID is, which Sno.parse says
        assertEquals(400, get("/orders?after=bad").statusCode());
    }
}
