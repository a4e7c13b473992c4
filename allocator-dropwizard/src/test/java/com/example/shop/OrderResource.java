package com.example.shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;

/** Takes orders. */
@Path("/orders")
@Produces(MediaType.APPLICATION_JSON)
public final class OrderResource {
    private final String shop;
    private final IdGenerator<Sno> numbers;
    private final Map<String, Order> taken = new ConcurrentHashMap<>();

    OrderResource(String shop, IdGenerator<Sno> numbers) {
        this.shop = shop;
        this.numbers = numbers;
    }

    /** One order. */
    public record Order(String shop, Sno number, Instant time) {}

    @POST
    public Order order() {
        Sno number = numbers.next();
        Order order = new Order(shop, number, number.time());
        taken.put(number.toString(), order);
        return order;
    }

    /** Throws for an order that was never taken; how that is answered is the program's own matter. */
    @GET
    @Path("/{number}")
    public Order order(@PathParam("number") String number) {
        return Optional.ofNullable(taken.get(number)).orElseThrow();
    }
}
