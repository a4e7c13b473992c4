package org.idallocator.dropwizard.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Taken;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.Outage;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Holder;

/** A source without ZooKeeper whose schemes are fenced, run dry and serve again when a test says so. */
public final class ObedientSource implements IdSource {
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    /** As replicas with the usual terms have it. */
    private static final Duration FARTHEST_SEEN = Duration.ofSeconds(16);

    private final List<Scheme<?>> schemes = Schemes.all();
    private final StoppableClock clock = new StoppableClock();
    private final Map<String, FencedException> refusals = new ConcurrentHashMap<>();
    private final Map<String, SchemeStatus.Slots> slots = new ConcurrentHashMap<>();
    private final Map<String, Taken.Until> dry = new ConcurrentHashMap<>();
    private volatile List<HeldSlot> held = List.of();
    private volatile Duration sinceLastStep = Duration.ZERO;
    private volatile boolean leaving;
    private volatile Optional<Outage> outage = Optional.empty();
    private volatile Runnable whenAsked = () -> {};
    private final AtomicLong untilFence = new AtomicLong(Long.MAX_VALUE);

    /** Fences a scheme, until {@link #serve}. */
    public void fence(String scheme, FenceReason reason) {
        refusals.put(scheme, new FencedException(reason, reason.sentence(), Duration.ofMillis(1_200)));
    }

    /**
     * Makes a scheme run dry, until {@link #serve}: its tick is used up, and the next one is further off than anybody
     * waits.
     */
    public void exhaust(String scheme) {
        dry.put(scheme, Taken.Until.NEXT_TICK);
    }

    /** Puts the clock back, until {@link #serve}: the last tick of a scheme is further ahead than anybody waits. */
    public void putClockBack(String scheme) {
        dry.put(scheme, Taken.Until.CLOCK_CATCHES_UP);
    }

    /** Has the time of all generators stand still, until {@link #serve}. */
    public void stopTheClock() {
        clock.stop();
    }

    /** What the clock of all generators says. */
    public Instant now() {
        return clock.instant();
    }

    public void fenceAll(FenceReason reason) {
        schemes.forEach(scheme -> fence(scheme.name(), reason));
    }

    /** Trips a fence after so many IDs, of whatever schemes. */
    public void fenceAfter(long ids) {
        untilFence.set(ids);
    }

    /** Runs this whenever somebody asks who holds a slot. */
    public void whenAskedForAHolder(Runnable what) {
        whenAsked = what;
    }

    /** Says that a drain is announced, until {@link #serve}. */
    public void leave() {
        leaving = true;
    }

    @Override
    public boolean leaving() {
        return leaving;
    }

    /** Says that ZooKeeper does not answer, until {@link #serve}. */
    public void cutOff(Outage told) {
        outage = Optional.of(told);
    }

    @Override
    public Optional<Outage> outage() {
        return outage;
    }

    /** Lets everything serve again. */
    public void serve() {
        leaving = false;
        outage = Optional.empty();
        untilFence.set(Long.MAX_VALUE);
        refusals.clear();
        dry.clear();
        held = List.of();
        clock.goOn();
    }

    @Override
    public List<Scheme<?>> schemes() {
        return schemes;
    }

    @Override
    public <T extends Id> IdGenerator<T> generator(Scheme<T> scheme) {
        long last = scheme.pool().map(pool -> pool.unit().maxTick()).orElse(Long.MAX_VALUE);
        Generator inner = scheme.open(0, Fence.unbounded(clock, 0, last));
        Generator obedient = new Obedient(scheme.name(), inner);
        return scheme.generator(() -> obedient, MAX_WAIT, clock).withFarthestSeen(FARTHEST_SEEN);
    }

    @Override
    public SchemeStatus status(Scheme<?> scheme) {
        Optional<FencedException> fenced = Optional.ofNullable(refusals.get(scheme.name()));
        SchemeStatus status = new SchemeStatus(scheme.name(), fenced, Optional.empty());
        SchemeStatus.Slots counted = slots.get(scheme.name());
        return counted == null ? status : withSlots(status, counted);
    }

    private static SchemeStatus withSlots(SchemeStatus status, SchemeStatus.Slots counted) {
        Optional<FencedException> lacking = Optional.of(FenceReason.NO_FREE_SLOT)
                .filter(reason -> counted.serving() < counted.leases())
                .map(reason -> new FencedException(reason, reason.sentence(), Duration.ofSeconds(1)));
        return new SchemeStatus(
                status.scheme(),
                status.fenced(),
                status.slot(),
                Optional.of(counted),
                status.fenced().or(() -> lacking));
    }

    /** So many slots of a scheme serve, of those that there are to be. */
    public void slots(String scheme, int serving, int leases) {
        slots.put(scheme, new SchemeStatus.Slots(serving, leases));
    }

    /** Holds a slot, until {@link #serve}: all IDs of the scheme are of that slot. */
    public void hold(HeldSlot slot) {
        held = List.of(slot);
    }

    @Override
    public List<HeldSlot> held() {
        return held;
    }

    /** Pretends that the lease thread did nothing for so long. */
    public void hang(Duration since) {
        sinceLastStep = since;
    }

    @Override
    public Duration sinceLastStep() {
        return sinceLastStep;
    }

    @Override
    public Holder holder(Scheme<?> scheme, long slot) {
        whenAsked.run();
        return held.stream()
                .filter(each -> each.scheme().equals(scheme.name()))
                .findFirst()
                .<Holder>map(each -> new Holder.Held(each.lease()))
                .orElse(Holder.nobody());
    }

    private final class Obedient implements Generator {
        private final String scheme;
        private final Generator inner;

        Obedient(String scheme, Generator inner) {
            this.scheme = scheme;
            this.inner = inner;
        }

        @Override
        public Taken take(int wanted, boolean keep) {
            if (untilFence.addAndGet(-wanted) < 0) {
                fence(scheme, FenceReason.DEADLINE_PASSED);
            }
            FencedException refusal = refusals.get(scheme);
            if (refusal != null) {
                throw refusal;
            }
            Taken.Until until = dry.get(scheme);
            if (until != null) {
                return Taken.none(MAX_WAIT.plusMillis(1).toNanos(), until);
            }
            return inner.take(wanted, keep);
        }

        @Override
        public int emit(Taken taken, int count, Variant variant, IdSink sink) {
            return inner.emit(taken, count, variant, sink);
        }

        @Override
        public int numbers(int count, Variant variant) {
            return inner.numbers(count, variant);
        }

        @Override
        public long dueTick(long now) {
            return inner.dueTick(now);
        }

        @Override
        public long close() {
            return inner.close();
        }
    }
}
