package org.idallocator.service.openapi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;

/** IDs of a scheme to show: those of its slot 0 at a time that is past. No replica issues them, as that time is over. */
final class ExampleIds<T extends Id> {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    private final IdGenerator<T> generator;

    ExampleIds(Scheme<T> scheme) {
        ScriptedClock clock = new ScriptedClock(TimeUnit.SECONDS.toMicros(TIME.getEpochSecond()));
        this.generator = scheme.onSlot(0, Duration.ofSeconds(2), clock);
    }

    /** So many of the default variant. */
    List<T> some(int count) {
        return generator.next(count);
    }

    /** So many of a variant; one more, the first, where they belong together. */
    List<T> some(int count, Variant variant) {
        return generator.with(variant).next(count);
    }
}
