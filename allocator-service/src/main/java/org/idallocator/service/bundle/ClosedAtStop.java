package org.idallocator.service.bundle;

import io.dropwizard.lifecycle.Managed;

/** A resource that is open already, and is closed when the program stops. */
record ClosedAtStop(AutoCloseable resource) implements Managed {
    @Override
    public void stop() throws Exception {
        resource.close();
    }
}
