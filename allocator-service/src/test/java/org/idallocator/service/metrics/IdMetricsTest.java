package org.idallocator.service.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.metrics.IdMetrics.Drawn;
import org.junit.jupiter.api.Test;

class IdMetricsTest {
    private final IdMetrics metrics =
            new IdMetrics(new PrometheusRegistry(), new DropwizardMetrics(new MetricRegistry()), Schemes.all());

    @Test
    void shouldTellWhatWasDrawnOfOneScheme() {
        FencedException skewed = new FencedException(FenceReason.CLOCK_SKEW, "behind", Duration.ofSeconds(1));
        metrics.listener("sno").issued(5);
        metrics.listener("sno").issued(2);
        metrics.listener("sno").failed(skewed);
        metrics.listener("sno").failed(skewed);
        metrics.listener("sno").failed(new IllegalStateException());
        metrics.listener("gid").issued(11);

        assertEquals(new Drawn(7, Map.of("clock-skew", 2L, "error", 1L)), metrics.drawn("sno"));
        assertEquals(new Drawn(11, Map.of()), metrics.drawn("gid"));
        assertEquals(new Drawn(0, Map.of()), metrics.drawn("uid60"));
    }
}
