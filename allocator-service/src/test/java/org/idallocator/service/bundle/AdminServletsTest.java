package org.idallocator.service.bundle;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dropwizard.core.setup.Environment;
import jakarta.servlet.http.HttpServlet;
import java.util.Map;
import org.eclipse.jetty.util.component.LifeCycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which paths of a program's own servlets clash with the allocator's. */
class AdminServletsTest {
    private final Environment environment = new Environment("shop");

    /** What the admin port tells its listeners when it starts. */
    private void start() {
        environment.getAdminContext().getEventListeners().stream()
                .filter(AdminServlets.class::isInstance)
                .forEach(listener -> ((LifeCycle.Listener) listener).lifeCycleStarting(environment.getAdminContext()));
    }

    private void add(String own, String allocators) {
        environment.admin().addServlet("own", new HttpServlet() {}).addMapping(own);
        AdminServlets.addAtStart(environment, Map.of(allocators, new HttpServlet() {}));
    }

    @ParameterizedTest
    @CsvSource({
        "/prometheus, /prometheus",
        "/prometheus/*, /prometheus",
        "/leases, /leases/*",
        "/leases/*, /leases/*",
        "/leases/sno, /leases/*"
    })
    void shouldRefuseAServletThatJettyWouldLeaveOut(String own, String allocators) {
        add(own, allocators);

        Exception refused = assertThrows(IllegalStateException.class, this::start);
        assertEquals(
                "the program has a servlet at " + own + " on the admin port, where the allocator's is at " + allocators
                        + ": add the program's servlet at another path, or override adminServlets() of the bundle",
                refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"/*, /prometheus", "/metrics, /prometheus", "/leases-of-mine, /leases/*", "/prometheus/own, /prometheus"
    })
    void shouldLiveBesideOtherServlets(String own, String allocators) {
        add(own, allocators);

        assertDoesNotThrow(this::start);
    }
}
