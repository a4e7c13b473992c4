package org.idallocator.service.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;

/** Counts requests for one route, by one method, with one outcome. Thread-safe; takes no lock and makes no garbage. */
public final class RequestCount {
    private final CounterDataPoint requests;
    private final Latencies latencies;

    RequestCount(CounterDataPoint requests, Latencies latencies) {
        this.requests = requests;
        this.latencies = latencies;
    }

    /** Such a request is over, so many nanoseconds after its headers were read. */
    public void ended(long nanos) {
        requests.inc();
        latencies.add(nanos);
    }
}
