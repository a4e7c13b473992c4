package com.example.springboot35;

import java.util.concurrent.CountDownLatch;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A program with what the page shows. */
@SpringBootApplication
@RestController
class Shop {
    private final IdGenerator<Sno> snos;
    final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);

    Shop(IdGenerator<Sno> snos) {
        this.snos = snos;
    }

    @EventListener
    void stop(ContextClosedEvent event) {
        stopping.countDown();
    }

    @GetMapping("/orders/next")
    String next() {
        return snos.next().toString();
    }

    /** Draws when the program has begun to stop. */
    @GetMapping("/orders/late")
    String late() throws InterruptedException {
        asked.countDown();
        stopping.await();
        return next();
    }

    @GetMapping("/orders/{id}")
    String one(@PathVariable Sno id) {
        return "order " + id;
    }

    @GetMapping("/orders")
    String since(@RequestParam Sno after) {
        return "orders after " + after;
    }
}
