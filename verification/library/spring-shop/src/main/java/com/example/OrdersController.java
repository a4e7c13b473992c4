package com.example;

import java.time.Instant;
import java.util.List;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrdersController {
    private final Orders orders;
    private final IdGenerator<Sno> numbers;

    OrdersController(Orders orders, IdGenerator<Sno> numbers) {
        this.orders = orders;
        this.numbers = numbers;
    }

    @PostMapping("/orders")
    Order create(@RequestParam String what) {
        return orders.save(new Order(what));
    }

    @GetMapping("/orders/{id}")
    ResponseEntity<Order> one(@PathVariable Sno id) {
        return ResponseEntity.of(orders.findById(id));
    }

    /** Those from a time on and before another, by their IDs alone: no order is in two times that share a bound. */
    @GetMapping("/orders")
    List<Order> of(@RequestParam Instant from, @RequestParam Instant to) {
        return orders.findByIdGreaterThanEqualAndIdLessThanOrderById(Sno.first(from), Sno.first(to));
    }

    /** A number that belongs to no row. */
    @PostMapping("/numbers")
    Sno number() {
        return numbers.next();
    }
}
