package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Attributes;
import org.junit.jupiter.api.Test;

class TurnTest {
    private static final Duration NONE = Duration.ofNanos(1);

    private final Semaphore turns = new Semaphore(1, true);

    private Turn turn() {
        return new Turn(turns, NONE, attributes());
    }

    /** A request of which nothing but its attributes is asked for. */
    private static Request attributes() {
        Attributes attributes = new Attributes.Mapped();
        return (Request) Proxy.newProxyInstance(
                TurnTest.class.getClassLoader(),
                new Class<?>[] {Request.class},
                (proxy, method, arguments) -> method.invoke(attributes, arguments));
    }

    @Test
    void shouldBeOneAtATimeAndBeginAgain() {
        Turn turn = turn();
        turn.begin();
        turn.begin();
        assertEquals(0, turns.availablePermits());

        turn.end();
        turn.end();
        assertEquals(1, turns.availablePermits());
        turn.begin();
        assertEquals(0, turns.availablePermits());
    }

    @Test
    void shouldGiveNothingBackThatItHasNotGot() {
        Turn first = turn();
        first.begin();
        Turn second = turn();
        second.begin();
        second.end();

        assertEquals(0, turns.availablePermits());
    }

    /** As at a stop that does not wait any longer. */
    @Test
    void shouldNotKeepAnInterruptedThread() {
        Turn first = turn();
        first.begin();
        Turn second = new Turn(turns, Duration.ofDays(1), attributes());
        Thread.currentThread().interrupt();
        second.begin();

        assertTrue(Thread.interrupted(), "who interrupted is still to be heard");
        second.end();
        assertEquals(0, turns.availablePermits());
    }
}
