package com.example.quarkus;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.idallocator.core.id.Sno;

/** What the page says beside the code that it shows. */
@Path("/more")
class More {
    private final Sno configured;

    More(@ConfigProperty(name = "shop.first-order") Sno configured) {
        this.configured = configured;
    }

    /** An order, as JSON. */
    public record Order(Sno id, String what) {}

    @GET
    public String since(@QueryParam("after") Sno after) {
        return "orders after " + after;
    }

    @GET
    @Path("configured")
    public String configured() {
        return configured.toString();
    }

    @POST
    @Path("json")
    public Order again(Order order) {
        return new Order(order.id(), order.what() + " again");
    }
}
