package org.idallocator.service.draw;

import java.time.Duration;

/** Admits everybody. */
final class Unlimited {
    static final Admission ADMISSION =
            new Admission(places(), places(), places(), new Backlog(() -> Long.MAX_VALUE, Duration.ZERO));

    private Unlimited() {}

    private static Places places() {
        return new Places(Integer.MAX_VALUE, "callers", Limit.WAITING, new BusyCounts());
    }
}
