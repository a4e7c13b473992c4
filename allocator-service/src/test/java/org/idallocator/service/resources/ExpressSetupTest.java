package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With all that the service itself puts on its two ports, single IDs are answered first of all, on the selector's thread. */
@ExtendWith(SharedService.class)
class ExpressSetupTest {
    private static Server server(RunningService service) {
        return service.support().getEnvironment().getApplicationContext().getServer();
    }

    @Test
    void shouldOpenTheFrontInTheService(RunningService service) {
        assertTrue(server(service).getDescendant(ExpressFront.class).isOpen());
    }

    @Test
    void shouldComeToTheFrontOnTheSelectorsThread(RunningService service) {
        assertEquals(InvocationType.NON_BLOCKING, server(service).getInvocationType());
    }
}
