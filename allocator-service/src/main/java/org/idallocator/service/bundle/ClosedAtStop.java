package org.idallocator.service.bundle;

import io.dropwizard.lifecycle.Managed;

/** Something that runs already and is closed when the program stops. */
record ClosedAtStop(AutoCloseable resource) implements Managed {
    @Override
    public void stop() throws Exception {
        resource.close();
    }
}
