package org.idallocator.service.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dropwizard.core.setup.Environment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Limits;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.ObedientApplication;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final List<Throwable> failures = new ArrayList<>();

    /** The client would wait in vain. */
    @Test
    void shouldFailTheRequestWhenItsRefusalThrows() {
        IllegalStateException broken = new IllegalStateException("broken by a test");
        IdService ids = new IdService(
                new ObedientSource(),
                scheme -> new ObedientApplication.Draws(),
                new Limits(1, 1, Duration.ofSeconds(1), 1, 1, 1),
                refused -> {
                    throw broken;
                });
        Refusals refusals = new Refusals(ids, BasePath.of(new Environment("test")), Runnable::run);

        refusals.refuseInTurn(
                Limit.REQUESTS,
                untouched(Request.class),
                untouched(Response.class),
                Callback.from(() -> {}, failures::add));

        assertEquals(List.of(broken), failures);
    }

    private static <T> T untouched(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    throw new AssertionError("asked for " + method);
                }));
    }
}
