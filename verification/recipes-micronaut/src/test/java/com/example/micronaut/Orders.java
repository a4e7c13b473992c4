package com.example.micronaut;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;

/** A program with what the page shows. */
@Controller("/orders")
class Orders {
    private final IdGenerator<Sno> snos;

    Orders(IdGenerator<Sno> snos) {
        this.snos = snos;
    }

    @Factory
    static class Generators {
        @Bean
        IdGenerators generators() {
            return TestIds.all();
        }
    }

    @Serdeable
    record Order(Sno id, String what) {}

    @Post
    Order create(@Body Order order) {
        return new Order(snos.next(), order.what() + " instead of " + order.id());
    }

    @Get("/{id}")
    String one(Sno id) {
        return "order " + id;
    }

    @Get
    String since(@QueryValue Sno after) {
        return "orders after " + after;
    }
}
