package org.idallocator.service.health;

import com.codahale.metrics.health.HealthCheck;

/** A check whose errors are shown to {@link FatalErrors}: what schedules it would drop it without a word. */
final class GuardedCheck extends HealthCheck {
    private final HealthCheck inner;

    GuardedCheck(HealthCheck inner) {
        this.inner = inner;
    }

    @Override
    protected Result check() {
        try {
            return inner.execute();
        } catch (Error e) {
            FatalErrors.endIfFatal(e);
            throw e;
        }
    }
}
