package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.DrawListener;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On whose thread a server calls its handlers: what stands before the gate, or hears of every request, may wait. */
class ExpressGateTest {
    private final Server server = new Server();

    @BeforeEach
    void insertGate() {
        Dispenser dispenser = new Dispenser(new ObedientSource(), name -> DrawListener.NONE);
        server.insertHandler(new ExpressGate(new ExpressLane(List.of(), dispenser, Counts.of(List.of(), Map.of()))));
    }

    @Test
    void shouldBeCalledOnTheSelectorsThreadWhenItIsOutermost() {
        assertEquals(InvocationType.NON_BLOCKING, server.getInvocationType());
    }

    @Test
    void shouldNotBeCalledOnTheSelectorsThreadBehindAnotherHandler() {
        server.insertHandler(new Handler.Wrapper());

        assertEquals(InvocationType.BLOCKING, server.getInvocationType());
    }

    @Test
    void shouldNotBeCalledOnTheSelectorsThreadWhereThereIsALog() {
        server.setRequestLog((request, response) -> {});

        assertEquals(InvocationType.BLOCKING, server.getInvocationType());
    }
}
