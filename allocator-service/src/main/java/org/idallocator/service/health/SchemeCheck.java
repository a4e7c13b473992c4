package org.idallocator.service.health;

import com.codahale.metrics.health.HealthCheck;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.IdSource;

/** Whether one scheme serves, with leases or without. Operators see this in the list of checks; {@link Readiness} alone decides on readiness. */
final class SchemeCheck extends HealthCheck {
    private final IdSource source;
    private final Scheme<?> scheme;

    SchemeCheck(IdSource source, Scheme<?> scheme) {
        this.source = source;
        this.scheme = scheme;
    }

    @Override
    protected Result check() {
        if (source.leaving()) {
            return Result.unhealthy(Readiness.LEAVING);
        }
        return source.status(scheme)
                .fenced()
                .map(why -> Result.unhealthy(scheme.name() + ": " + why.getMessage()))
                .orElseGet(Result::healthy);
    }
}
