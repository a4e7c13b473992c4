package org.idallocator.zk;

import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.checkpoint.Checkpoints;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.GeneratorsByType;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Drained;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.Leases;
import org.idallocator.zk.lease.Outage;
import org.idallocator.zk.lease.Rotated;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.HolderLookup;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Clients;
import org.idallocator.zk.store.CuratorStore;

/**
 * One replica of the allocator. It leases what its schemes need, and hands out generators that are fenced with their
 * leases. Thread-safe.
 *
 * <pre>{@code
 * try (IdAllocator allocator = IdAllocator.connect(settings)) {
 *     allocator.awaitReady(Duration.ofSeconds(30));
 *     IdGenerator<Sno> snos = allocator.sno();
 *     Sno id = snos.next();                  // throws FencedException: why, and when to retry
 *     List<Sno> batch = snos.next(1000);
 *     snos.next(1000, sink);                 // as bits, without garbage
 * }
 * }</pre>
 *
 * <p>Generators may be kept and shared for as long as the allocator is open. After {@link #close} their draws throw
 * {@link FencedException} with {@code closed}, for good.
 *
 * <p>Where the program has {@code org.crac} on its class path, an allocator gives its slots back before a checkpoint of
 * the process, and goes on where the process does, with other slots. Meanwhile its draws throw {@link FencedException}
 * with {@code checkpoint}.
 */
public final class IdAllocator implements IdSource, IdGenerators, AutoCloseable {
    private final AllocatorSettings settings;
    private final Clock clock;
    private final Leases leases;
    private final Checkpoints.Participant acrossCheckpoints = new AcrossCheckpoints();
    private volatile Access access; // another one after each checkpoint
    private boolean closed; // guarded by this
    // one for each scheme, so that its callers queue together
    private final Map<String, IdGenerator<?>> generators;
    private final IdGenerators byType;

    private IdAllocator(AllocatorSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.access = new Access(settings, clock);
        this.leases = new Leases(access.curator, clock, settings);
        this.generators = settings.schemes().stream()
                .collect(ImmutableMap.toImmutableMap(
                        Scheme::name,
                        scheme -> scheme.generator(leases.source(scheme), settings.maxWait(), clock)
                                .withFarthestSeen(settings.farthestSeen(scheme))));
        this.byType = new GeneratorsByType(this::sno, this::muid, this::eightbyte, this::uid60, this::gid);
    }

    /** ZooKeeper by one client, and what asks it. */
    private static final class Access {
        final CuratorFramework curator;
        final CuratorStore store;
        final HolderLookup holders;

        /** The client is not started yet. */
        Access(AllocatorSettings settings, Clock clock) {
            this.curator = Clients.open(settings.zookeeper());
            this.store = CuratorStore.waiting(curator, settings.zookeeper());
            this.holders = new HolderLookup(store, settings.zookeeper().root(), clock);
        }
    }

    /** Each process that goes on from a checkpoint is a replica of its own, on slots that it claims itself. */
    private final class AcrossCheckpoints implements Checkpoints.Participant {
        @Override
        public void beforeCheckpoint() {
            synchronized (IdAllocator.this) {
                if (!closed) {
                    try {
                        leases.stopForCheckpoint();
                    } finally {
                        Clients.close(access.curator);
                    }
                }
            }
        }

        @Override
        public void afterRestore() {
            synchronized (IdAllocator.this) {
                if (!closed && leases.isAtCheckpoint()) {
                    Access next = new Access(settings, clock);
                    next.curator.start();
                    access = next;
                    leases.goOn(next.curator);
                }
            }
        }
    }

    /**
     * Starts a replica and returns at once. It connects and claims in the background, for as long as that takes. Until
     * then draws throw {@link FencedException} with {@code starting}, or with what keeps the replica from serving;
     * {@link #awaitReady awaitReady} waits.
     */
    public static IdAllocator connect(AllocatorSettings settings) {
        return connect(settings, Clock.system());
    }

    /** The same, by the caller's clock. */
    public static IdAllocator connect(AllocatorSettings settings, Clock clock) {
        IdAllocator allocator = new IdAllocator(settings, clock);
        synchronized (allocator) { // a checkpoint that begins meanwhile waits, and then stops what has been started
            Checkpoints.add(allocator.acrossCheckpoints);
            allocator.access.curator.start();
            allocator.leases.start();
        }
        return allocator;
    }

    /** What this replica was told when it was made. */
    public AllocatorSettings settings() {
        return settings;
    }

    /** The schemes that this replica serves. */
    @Override
    public List<Scheme<?>> schemes() {
        return settings.schemes();
    }

    /**
     * IDs of a scheme of {@link #schemes}, from whatever tenure serves it; throws {@link IllegalArgumentException} for
     * others.
     */
    @Override
    public <T extends Id> IdGenerator<T> generator(Scheme<T> scheme) {
        return requireConfigured(scheme.name()).as(scheme.type().reader()).with(scheme.defaultVariant());
    }

    private IdGenerator<?> requireConfigured(String scheme) {
        return Optional.ofNullable(generators.get(scheme))
                .orElseThrow(() -> new IllegalArgumentException(
                        "scheme " + scheme + " is not configured; configured are " + generators.keySet()));
    }

    /** Snos from {@link #generator}; throws {@link IllegalArgumentException} when {@code sno} is not served. */
    public IdGenerator<Sno> sno() {
        return generator(configured(SnoScheme.class, SnoScheme.NAME));
    }

    /** Muids from {@link #generator}; throws {@link IllegalArgumentException} when {@code muid} is not served. */
    public IdGenerator<Muid> muid() {
        return generator(configured(MuidScheme.class, MuidScheme.NAME));
    }

    /**
     * Eightbyte IDs from {@link #generator}; throws {@link IllegalArgumentException} when {@code eightbyte} is not
     * served.
     */
    public IdGenerator<EightByteId> eightbyte() {
        return generator(configured(EightByteScheme.class, EightByteScheme.NAME));
    }

    /** 60-bit IDs from {@link #generator}; throws {@link IllegalArgumentException} when {@code uid60} is not served. */
    public IdGenerator<Uid60> uid60() {
        return generator(configured(Uid60Scheme.class, Uid60Scheme.NAME));
    }

    /**
     * {@link #generator Gids} of the configured type; throws {@link IllegalArgumentException} unless {@code gid} is
     * served.
     */
    public IdGenerator<Gid> gid() {
        return generator(configured(GidScheme.class, GidScheme.NAME));
    }

    /** Gids of the type volume. */
    public IdGenerator<VolumeId> volumes() {
        return of(VolumeId.class);
    }

    /** Gids of the type log. */
    public IdGenerator<LogId> logs() {
        return of(LogId.class);
    }

    /** Gids of the type segment. */
    public IdGenerator<SegmentId> segments() {
        return of(SegmentId.class);
    }

    /**
     * IDs of a type, as {@link #sno} and its like give them; throws {@link IllegalArgumentException} when the type's
     * scheme is not served, with the names of those that are.
     */
    @Override
    public <T extends Id> IdGenerator<T> of(Class<T> type) {
        return byType.of(type);
    }

    private <S extends Scheme<?>> S configured(Class<S> type, String name) {
        requireConfigured(name);
        return type.cast(Schemes.named(name, settings.schemes()));
    }

    /**
     * Waits until every scheme of {@link #schemes} serves: {@link #status} says so, and draws succeed. The replica's
     * own changes wake the waiting thread.
     *
     * @param timeout how long to wait at most; zero or less looks once
     * @throws FencedException when the time is over, with the name of the first scheme that does not serve, and the
     *     reason; with {@code closed} at once, when the allocator is closed before or meanwhile
     * @throws InterruptedException when the thread is interrupted before or while it waits
     */
    public void awaitReady(Duration timeout) throws InterruptedException {
        leases.awaitReady(settings.schemes(), timeout);
    }

    /**
     * Waits until one scheme serves, as {@link #awaitReady(Duration)} does for all, and throws alike. Throws
     * {@link IllegalArgumentException} for a scheme that is not one of {@link #schemes}.
     */
    public void awaitReady(Scheme<?> scheme, Duration timeout) throws InterruptedException {
        requireConfigured(scheme.name());
        leases.awaitReady(List.of(scheme), timeout);
    }

    /** The state of a scheme of {@link #schemes} now. */
    @Override
    public SchemeStatus status(Scheme<?> scheme) {
        return leases.status(scheme);
    }

    /** The slots that this replica holds. */
    @Override
    public List<HeldSlot> held() {
        return leases.held();
    }

    /**
     * Since when ZooKeeper gives this replica no answer, and until when IDs come on all the same; empty while it
     * answers.
     */
    @Override
    public Optional<Outage> outage() {
        return leases.outage();
    }

    /**
     * What has become of this replica's leases since it was made: of each scheme that has slots, in the order of
     * {@link #schemes}.
     */
    public List<LeaseCounts> leaseCounts() {
        return leases.counts();
    }

    /**
     * Who holds a slot of a scheme that has slots, or held it up to a second ago. Answers within some five
     * milliseconds. Where ZooKeeper takes longer, has yet to answer 16 such questions, or was asked 200 of them within
     * a second, the answer says that the holder is not known. A caller that asks again a moment later is told, but
     * where others go on asking that much.
     */
    @Override
    public Holder holder(Scheme<?> scheme, long slot) {
        return access.holders.holder(scheme, slot);
    }

    /**
     * Drains this replica, in order: from now on draws throw {@link FencedException} with {@code drained},
     * {@link #status} says the same, and all slots are given back. The replica stays connected. A drain does not
     * outlive the process, and {@link #resume} ends it. Where ZooKeeper does not answer, slots are given back as soon
     * as it does.
     *
     * @param timeout how long to wait at most until the slots are given back
     * @return what was held, whether all of it was given back in time, and whether this replica was resumed meanwhile
     * @throws FencedException with {@code closed}, when the allocator is closed before or while this waits
     * @throws InterruptedException when the thread is interrupted while it waits; the replica is drained all the same
     */
    public Drained drain(Duration timeout) throws InterruptedException {
        return drain(Duration.ZERO, timeout);
    }

    /**
     * The same after a notice, for a program behind a load balancer: until the notice is over, draws and
     * {@link #status} go on as before, and {@link #leaving} tells that the balancer is to send no more requests.
     * {@link #resume} ends a notice, too.
     *
     * @param notice how long the notice lasts; none where this replica is drained already, and shorter where another
     *     caller gives a shorter notice
     * @param timeout how long to wait at most, after the notice, until the slots are given back
     */
    public Drained drain(Duration notice, Duration timeout) throws InterruptedException {
        return leases.drain(notice, timeout);
    }

    /** Whether this replica is about to be drained: a notice is given, and draws succeed until it is over. */
    @Override
    public boolean leaving() {
        return leases.leaving();
    }

    /**
     * Ends a drain and returns at once: slots are claimed again in the background; {@link #awaitReady} waits for them.
     *
     * @return whether this replica was drained, or about to be; if not, nothing changes
     * @throws FencedException with {@code closed}, when the allocator is closed
     */
    public boolean resume() {
        return leases.resume();
    }

    /**
     * Changes the slots that this replica holds of a scheme for others, without a gap: another slot is claimed first,
     * draws go on with the new slot, and the old one is released.
     *
     * @param scheme one of {@link #schemes} that has slots; throws {@link IllegalArgumentException} for others
     * @param timeout how long to wait at most
     * @return which slots were changed for which; empty where the outcome is not known in time: slots may yet be
     *     changed
     * @throws FencedException why a slot cannot be changed now, such as {@code no-free-slot}; the slot then goes on
     *     serving. The message names slots that were changed before
     * @throws InterruptedException when the thread is interrupted while it waits; slots may yet be changed
     */
    public Optional<List<Rotated>> rotate(Scheme<?> scheme, Duration timeout) throws InterruptedException {
        requireConfigured(scheme.name());
        Scheme<?> leased = Schemes.leased(scheme.name(), settings.schemes());
        return leases.rotate(leased, timeout);
    }

    /**
     * All replicas' leases, as ZooKeeper has them; by the client of now, so that it is to be asked for again after a
     * checkpoint.
     */
    public ClusterView cluster() {
        return ClusterView.on(new OperatorAccess(access.store, clock, settings), leases::clockOffset);
    }

    /**
     * How far this replica's clock is ahead of ZooKeeper's (negative: behind), as a best guess by the last write that
     * ZooKeeper has answered; empty before the first.
     */
    public Optional<Duration> clockOffset() {
        return leases.clockOffset();
    }

    /**
     * How long ago the thread that keeps the leases began or ended a step. It steps several times in a window, and each
     * step ends within a few session timeouts. A much longer time means that the thread hangs.
     * {@link java.time.temporal.ChronoUnit#FOREVER} when the thread has died; zero when this replica is closed.
     */
    @Override
    public Duration sinceLastStep() {
        return leases.sinceLastStep();
    }

    /**
     * Stops issuing at once, releases every slot and leaves. Waits for some eight seconds at most, where ZooKeeper does
     * not answer. As soon as the call begins, draws and {@link #awaitReady awaitReady} throw {@link FencedException}
     * with {@code closed}, and {@link #status} says the same. Idempotent.
     */
    @Override
    public void close() {
        Checkpoints.remove(acrossCheckpoints);
        synchronized (this) { // no process goes on meanwhile
            closed = true;
            leases.close();
            Clients.close(access.curator);
        }
    }
}
