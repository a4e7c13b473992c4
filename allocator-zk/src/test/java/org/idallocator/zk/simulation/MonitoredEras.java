package org.idallocator.zk.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.model.ModelState;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.simulation.PoolEras.Begun;
import org.idallocator.zk.simulation.PoolEras.EraName;

/**
 * The eras of one slot, by their numbers in the model, and ZooKeeper's time in ticks.
 *
 * <p>A floor, a window and a skew are counted in ticks, each rounded up. Windows of terms with a larger skew than
 * {@link #SKEW} have the rest of it beside them: the model has one skew for all.
 */
final class MonitoredEras {
    /** The smallest skew of any terms in a simulation. */
    private static final Duration SKEW = Duration.ofMillis(500);

    /** Of a run in which nobody looks at windows. */
    private static final long ANY_WINDOW = Long.MAX_VALUE / 4;

    private static final EraName ONLY = new EraName("the only incarnation", "the only generation");

    private final ModelSteps steps;
    private final ModelState state;
    private final TickUnit unit;
    private final Map<EraName, Long> numbers = new HashMap<>();
    private Optional<EraName> present = Optional.empty();

    MonitoredEras(ModelSteps steps, TickUnit unit) {
        this.steps = steps;
        this.state = steps.state();
        this.unit = unit;
        state.fix("skew", unit.ticksIn(SKEW));
        state.fix("slack", 0L); // time is the highest of all leaders, and so is each reading that is counted from
        state.fixOf("floorOf", 0L, 0L);
        state.fixOf("window", 0L, 0L);
    }

    /** There is one era from the beginning to the end, and nobody asks how far ahead anybody reserves. */
    static MonitoredEras one(ModelSteps steps, TickUnit unit) {
        MonitoredEras eras = new MonitoredEras(steps, unit);
        eras.state.fixOf("floorOf", 1L, 0L);
        eras.state.fixOf("window", 1L, ANY_WINDOW);
        eras.numbers.put(ONLY, 1L);
        eras.present = Optional.of(ONLY);
        steps.take("BeginFirst");
        return eras;
    }

    /** Whether there is an era now. */
    boolean isThere() {
        return present.isPresent();
    }

    /** The number of an era; empty where it never was, so that nothing can have depended on it. */
    Optional<Long> number(EraName era) {
        return Optional.ofNullable(numbers.get(era));
    }

    /** The number of the only era; empty where there may be others. */
    Optional<Long> only() {
        return number(ONLY);
    }

    /** How far ahead of its clock one may reserve, by these terms. */
    long window(Terms terms) {
        return only().isPresent()
                ? ANY_WINDOW
                : unit.ticksIn(terms.window()) + unit.ticksIn(terms.maxClockSkew()) - unit.ticksIn(SKEW);
    }

    /** The latest that the clock of anybody who reserves may read. */
    long latestClock() {
        return time() + state.number("skew");
    }

    long time() {
        return state.number("time");
    }

    /**
     * ZooKeeper's time goes on. Between two eras nobody reserves anything, so that it does not matter how long that
     * takes.
     */
    void pass(long millis) {
        long now = Math.max(0, unit.tickAt(millis * 1_000));
        if (now > time() && isThere() && only().isEmpty()) {
            steps.take("Pass", now);
        }
    }

    /** Whether this era, or that there is none, is what the model has. */
    boolean isPresent(Optional<Begun> now) {
        return present.equals(now.map(Begun::name));
    }

    /** The era has ended, if there was one; a step of the model says so. */
    void end() {
        present = Optional.empty();
    }

    /** The next era begins. */
    void begin(Begun next) {
        long before = state.number("begun");
        long number = before + 1;
        long floor = floor(next.floor());
        long least = Math.max(floorOf(before), time() + windowOf(before) + state.number("skew") + 1);
        state.fixOf("window", number, window(next.terms()));
        state.fixOf("floorOf", number, Math.min(floor, least)); // what is more is of no use to the model
        numbers.put(next.name(), number);
        present = Optional.of(next.name());
        if (floor == 0) {
            steps.take("BeginFirst");
        } else {
            begin(Math.min(floor, least), windowOf(before));
        }
    }

    /**
     * A floor is one number: of what is above the time of that moment, the window is counted first, and then the skew.
     */
    private void begin(long floor, long window) {
        long above = floor - time() - 1;
        long read = above < 0 ? floor - 1 : time();
        long counted = Math.max(0, Math.min(above, window));
        long forSkew = Math.max(0, above - counted);
        steps.take("Begin", read, counted, forSkew, 0L, 1L);
    }

    private long floorOf(long era) {
        return state.number("floorOf", era);
    }

    private long windowOf(long era) {
        return state.number("window", era);
    }

    private long floor(Instant floor) {
        return Math.max(0, unit.firstTickFrom(micros(floor)));
    }

    /** The last tick before this time, of which nothing is left out. */
    long lastBefore(Instant time) {
        return Math.max(-1, unit.firstTickFrom(micros(time)) - 1);
    }

    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }
}
