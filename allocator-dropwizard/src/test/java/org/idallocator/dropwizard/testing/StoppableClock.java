package org.idallocator.dropwizard.testing;

import java.util.Optional;
import org.idallocator.core.clock.Clock;

/** The machine's clocks, which stand still between {@link #stop} and {@link #goOn}; then they are right again. */
final class StoppableClock implements Clock {
    private final Clock machine = Clock.system();
    private volatile Optional<Moment> stopped = Optional.empty();

    /** What both clocks say. */
    private record Moment(long micros, long nanos) {}

    void stop() {
        stopped = Optional.of(new Moment(machine.micros(), machine.nanos()));
    }

    void goOn() {
        stopped = Optional.empty();
    }

    @Override
    public long micros() {
        return stopped.map(Moment::micros).orElseGet(machine::micros);
    }

    @Override
    public long nanos() {
        return stopped.map(Moment::nanos).orElseGet(machine::nanos);
    }

    /** Waits although time may stand still. */
    @Override
    public void park(long nanos) {
        machine.park(nanos);
    }
}
