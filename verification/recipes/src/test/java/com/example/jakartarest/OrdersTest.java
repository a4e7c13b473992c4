package com.example.jakartarest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.time.Duration;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;

class OrdersTest {
    private static final String ID = "9q7qmwq2222dhi22";

    /** What the page says of headers, and of draws that fail. */
    @Path("/more")
    public static class More {
        private final IdGenerator<Sno> snos = TestIds.fenced(FenceReason.UNREACHABLE);

        @GET
        @Path("header")
        public String header(@HeaderParam("X-Order") Sno id) {
            return "order " + id;
        }

        @GET
        @Path("next")
        public String next() {
            return snos.next().toString();
        }

        @GET
        @Path("later")
        public String later() {
            throw FencedException.of(FenceReason.UNREACHABLE, "", Duration.ofMillis(2_500));
        }
    }

    private static ContainerResponse ask(String path, Class<?>... more) throws Exception {
        ContainerRequest request = new ContainerRequest(
                URI.create("http://localhost/"),
                URI.create("http://localhost/" + path),
                "GET",
                null,
                new MapPropertiesDelegate(),
                null);
        request.header("X-Order", path.endsWith("bad") ? "bad" : ID);
        return new ApplicationHandler(new ResourceConfig(Orders.class, More.class, NoIds.class).registerClasses(more))
                .apply(request)
                .get();
    }

    @Test
    void shouldReadIdsInPathsQueriesAndHeaders() throws Exception {
        assertEquals("order " + ID, ask("orders/" + ID).getEntity());
        assertEquals("orders after " + ID, ask("orders?after=" + ID).getEntity());
        assertEquals("order " + ID, ask("more/header").getEntity());
    }

    @Test
    void shouldRefuseWhatIsNoId() throws Exception {
        assertEquals(404, ask("orders/bad").getStatus());
        assertEquals(404, ask("orders?after=bad").getStatus());
        assertEquals(400, ask("more/header?bad").getStatus());
        ContainerResponse mapped = ask("orders?after=bad", BadQuery.class);
        assertEquals(400, mapped.getStatus());
        assertTrue(mapped.getEntity().toString().contains("after"), () -> "" + mapped.getEntity());
    }

    @Test
    void shouldTellWhenToAskAgain() throws Exception {
        ContainerResponse refused = ask("more/next");
        assertEquals(503, refused.getStatus());
        assertEquals("2", refused.getHeaderString("Retry-After"));
        assertTrue(
                refused.getEntity().toString().contains(FenceReason.UNREACHABLE.sentence()),
                () -> "" + refused.getEntity());
        assertEquals("3", ask("more/later").getHeaderString("Retry-After"));
    }
}
