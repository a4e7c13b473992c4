package org.idallocator.service.server;

import java.util.Objects;
import org.idallocator.service.testing.RunningService;

/** Which permits nobody has: operators see how many requests are let in, and not how many of these are worked on. */
public final class FreePermits {
    private FreePermits() {}

    /** How many of the {@link RunningService#PERMITS} of a service nobody has now. */
    public static int of(RunningService service) {
        return Objects.requireNonNull(service.support()
                        .getEnvironment()
                        .getApplicationContext()
                        .getDescendant(PermitHandler.class))
                .availablePermits();
    }
}
