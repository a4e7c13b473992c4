package org.idallocator.dropwizard.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.codahale.metrics.MetricRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.SnoScheme;
import org.junit.jupiter.api.Test;

class IdMetricsTest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private final ScriptedClock clock = new ScriptedClock(1_767_225_600_000_000L);
    private final IdMetrics metrics = new IdMetrics(new Meters(new MetricRegistry()), List.of(new SnoScheme(0, 1, 1)));

    /** Operators tell a client's clock, or its mistake, from a replica's. */
    @Test
    void shouldCountDrawsAfterAnIdThatIsAheadByHowFarItIs() {
        IdGenerator<Sno> snos = new LocalIds(MAX_WAIT, clock)
                .sno(SnoPartition.of(1), SnoRange.ALL)
                .withFarthestSeen(MAX_WAIT.multipliedBy(2));

        count(snos, MAX_WAIT.plusSeconds(1));
        count(snos, MAX_WAIT.multipliedBy(3));
        count(snos, MAX_WAIT.multipliedBy(4));

        assertEquals(
                Map.of("ahead", 1L, "too-far-ahead", 2L),
                metrics.drawn(SnoScheme.NAME).refused());
    }

    private void count(IdGenerator<Sno> snos, Duration ahead) {
        Sno seen = Sno.first(clock.instant().plus(ahead));
        metrics.listener(SnoScheme.NAME)
                .failed(assertThrows(
                        RuntimeException.class, () -> snos.after(seen).next()));
    }
}
