package org.idallocator.zk.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.LeasedHolder;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.simulation.Calls.Way;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.simulation.Strands.Strand;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.testing.SmallPool;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * One run of a simulated cluster, from one seed; {@link SimulationTest} explains how. Only one strand at a time touches
 * its state.
 */
final class Simulation implements SimulatedClock.Parking {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long YEAR_MICROS = 365L * 24 * 3_600 * 1_000_000;
    private static final long TROUBLED = 10 * SECOND;
    private static final long PATIENCE = 20 * SECOND;
    private static final long LONGEST = 3_600 * SECOND;
    private static final Duration SESSION = Duration.ofSeconds(1);
    private static final Duration SKEW = Duration.ofMillis(500);
    static final Terms USUAL_TERMS = new Terms(SESSION, SESSION, SKEW);
    private static final Terms TERMS_OF_CLOCKS_APART = new Terms(SESSION, SESSION, Duration.ofSeconds(2));

    /** Two clocks that are so far off, one ahead and one behind, are almost twice the skew apart. */
    private static final long APART_MICROS = 1_950_000;

    private static final long FAR_AHEAD_MILLIS = 3_600_000;
    private static final int CALLERS = 4;
    private static final int MOST_SLOTS = 4;

    final Random random;
    final Setup setup;
    private final Weather weather;
    final boolean several;
    private final @Nullable Random orders; // draws of its own: where nobody orders, all goes as it would
    private final Random versions; // the same
    private final Random copies; // the same
    private final Random writes; // the same: gives writes of records their bits
    final Configuration usual;
    final SimulatedZooKeeper zookeeper;
    private final Tree tree;
    private final Ledger ledger;
    private final @Nullable Disasters disasters;
    private final long troubledNanos;
    private final Onlooker onlooker;
    final Strands strands = new Strands(this::next);
    final List<SimulatedReplica> replicas = new ArrayList<>();
    private final List<Later> agenda = new ArrayList<>();
    private final Set<String> begun = new HashSet<>();
    private long nowNanos;
    private long leaderOffMillis;
    private long nextTroubleNanos;
    private long nextOrderNanos;
    private long nextLookNanos;
    private long limitNanos;
    boolean calm;
    private int mostSlots;
    private int fingerprint;
    private int drains;
    private int rotations;
    private int refusals;
    private final Map<String, Id> lastReceived = new HashMap<>();
    private final Map<Way, Integer> ways = new EnumMap<>(Way.class);

    /** What payloads say. Most of those that are looked at every 50 ms have not changed. */
    private final Map<String, SlotRecord> read = new HashMap<>();

    /**
     * What runs.
     *
     * @param seed from which everything is drawn
     * @param naive whether replicas are {@link NaiveHolder}s
     * @param losses what {@link Disasters} there are
     * @param whole whether nothing is missing: then ticks must be as recorded, and everything must serve again at the
     *     end
     * @param mutation what stands between a replica, or an operator, of this version and its store
     * @param versions which versions run
     * @param copies whether a replica is copied
     * @param draws what stands between callers and generators
     * @param passed whether callers pass IDs along, from replica to replica, whose clocks are as far apart as is
     *     allowed
     */
    record Setup(
            long seed,
            boolean naive,
            Losses losses,
            boolean whole,
            Mutation mutation,
            Versions versions,
            Copies copies,
            DrawMutation draws,
            boolean passed) {

        /** The same where callers pass no IDs along. */
        Setup(
                long seed,
                boolean naive,
                Losses losses,
                boolean whole,
                Mutation mutation,
                Versions versions,
                Copies copies,
                DrawMutation draws) {
            this(seed, naive, losses, whole, mutation, versions, copies, draws, false);
        }

        /** In half of the runs, replicas of this version and of others run side by side. */
        static Setup real(long seed) {
            return new Setup(
                    seed, false, Losses.NONE, true, Mutation.NONE, Versions.of(seed), Copies.NONE, DrawMutation.NONE);
        }

        /** Only equal IDs are a violation. */
        static Setup naive(long seed) {
            return new Setup(
                    seed, true, Losses.NONE, false, Mutation.NONE, Versions.ONE, Copies.NONE, DrawMutation.NONE);
        }

        /** Only equal IDs, ticks that two tenures used, and records that break a rule are a violation. */
        static Setup mutant(long seed, Mutation mutation, Versions versions) {
            return new Setup(seed, false, Losses.NONE, false, mutation, versions, Copies.NONE, DrawMutation.NONE);
        }

        /** The same with disasters. */
        static Setup mutantInDisasters(long seed, Mutation mutation) {
            return mutant(seed, mutation, Losses.ANYTHING);
        }

        /** The same under long windows. */
        static Setup mutantUnderLongWindows(long seed, Mutation mutation) {
            return mutant(seed, mutation, Losses.UNDER_LONG_WINDOWS);
        }

        private static Setup mutant(long seed, Mutation mutation, Losses losses) {
            return new Setup(seed, false, losses, false, mutation, Versions.ONE, Copies.NONE, DrawMutation.NONE);
        }

        /** A replica is copied, once. */
        static Setup copied(long seed, Copies copies) {
            return new Setup(
                    seed,
                    false,
                    Losses.NONE,
                    copies == Copies.ONCE,
                    Mutation.NONE,
                    Versions.ONE,
                    copies,
                    DrawMutation.NONE);
        }

        /** Only equal IDs, ticks that two tenures used, and draws after the deadline are a violation. */
        static Setup drawing(long seed, DrawMutation draws) {
            return new Setup(seed, false, Losses.NONE, false, Mutation.NONE, Versions.ONE, Copies.NONE, draws);
        }

        /**
         * Callers draw IDs after others that they, or other callers, have received from any replica: each must sort
         * after that one.
         */
        static Setup passing(long seed, DrawMutation draws) {
            return new Setup(
                    seed,
                    false,
                    Losses.NONE,
                    draws == DrawMutation.NONE,
                    Mutation.NONE,
                    Versions.ONE,
                    Copies.NONE,
                    draws,
                    true);
        }

        static Setup disasters(long seed) {
            return losing(seed, Losses.ANYTHING, Versions.of(seed));
        }

        /** The same where windows outlast sessions, and ZooKeeper is away for up to a minute. */
        static Setup underLongWindows(long seed) {
            return losing(seed, Losses.UNDER_LONG_WINDOWS, Versions.ONE);
        }

        /** Backups come back, and are served at once, also with windows that outlast that. */
        static Setup backups(long seed) {
            return losing(seed, Losses.BACKUPS_SERVED, Versions.ONE);
        }

        private static Setup losing(long seed, Losses losses, Versions versions) {
            return new Setup(seed, false, losses, true, Mutation.NONE, versions, Copies.NONE, DrawMutation.NONE);
        }

        /**
         * The same seeds, where only replicas of the next version understand their records: the others have ever fewer
         * slots.
         */
        static Setup apart(long seed) {
            return new Setup(
                    seed, false, Losses.NONE, true, Mutation.NONE, Versions.APART, Copies.NONE, DrawMutation.NONE);
        }

        boolean disasters() {
            return losses != Losses.NONE;
        }

        boolean checksLiveness() {
            return whole && versions != Versions.APART;
        }
    }

    /** What ZooKeeper loses, see {@link Disasters}. */
    enum Losses {
        NONE,
        ANYTHING,
        /** The same where windows outlast sessions, and ZooKeeper is away for up to a minute. */
        UNDER_LONG_WINDOWS,
        /** What was written since a backup that comes back, and is served at once. */
        BACKUPS_SERVED
    }

    /** Whether a replica is copied with all its state, and both go on. */
    enum Copies {
        NONE,
        ONCE,
        /** A mutant: no write has bits of its own. */
        WITHOUT_BITS
    }

    /** Which versions of the software run. */
    enum Versions {
        /** This one. */
        ONE,
        /** This one, the next and the one before: each process is of any. */
        MIXED,
        /** This one and the next, and only the next understands what it writes into records. */
        APART;

        private static Versions of(long seed) {
            return Math.floorMod(seed, 4) < 2 ? ONE : MIXED;
        }
    }

    /** What stands between a replica, or an operator, of these settings and its store. */
    @FunctionalInterface
    interface Mutation {
        Mutation NONE = (store, settings) -> store;

        Store apply(Store store, AllocatorSettings settings);
    }

    /** Something that is to happen. */
    private record Later(long atNanos, Runnable what) {}

    /**
     * What a run did.
     *
     * @param ways how many IDs came to their callers in which way
     * @param answers how many IDs were drawn after others
     * @param refusals how often a replica's clock was too far behind for that
     * @param mostSlots from how many slots a caller drew as one
     * @param drains how often operators had a replica drained
     * @param rotations how many slots were changed for others by order
     * @param fingerprint tells its schedule from others
     */
    record Result(
            int ids,
            Map<Way, Integer> ways,
            int answers,
            int refusals,
            int mostSlots,
            long transactions,
            long millis,
            int drains,
            int rotations,
            int fingerprint) {}

    Simulation(Setup setup) {
        this(setup, Onlooker.NONE);
    }

    /** The same run, at which somebody looks. */
    Simulation(Setup setup, Onlooker onlooker) {
        this.setup = setup;
        this.onlooker = onlooker;
        random = new Random(setup.seed());
        weather = new Weather(random);
        boolean apart = setup.versions() == Versions.APART; // where few slots are left, few runs have several
        boolean drawn = Math.floorMod(setup.seed(), 3) == 1 || (apart && Math.floorMod(setup.seed(), 3) == 2);
        several = setup.mutation() == Mutation.NONE && !setup.naive() && drawn;
        orders = setup.mutation() == Mutation.NONE && !setup.naive() && !setup.disasters()
                ? new Random(~setup.seed())
                : null;
        versions = new Random(setup.seed() + 77);
        copies = new Random(setup.seed() + 78);
        writes = new Random(setup.seed() + 79);
        ledger = new Ledger(!setup.naive(), setup.whole(), setup.disasters());
        int count = 2 + random.nextInt(2);
        List<Scheme<?>> schemes = schemes(count);
        Terms terms = Disasters.terms(random, setup.losses());
        usual = new Configuration(schemes, setup.passed() ? TERMS_OF_CLOCKS_APART : terms);
        troubledNanos = troubledNanos(setup.losses());
        zookeeper = new SimulatedZooKeeper(this::leaderMillis, usual.terms().sessionTimeout());
        zookeeper.onWrite(this::written);
        onlooker.begins(zookeeper, this::trueMillis, this::leaderMillis);
        AllocatorSettings operator = usual.settings("operator");
        tree = new Tree(operator.zookeeper().root());
        disasters = setup.disasters() ? new Disasters(this, ledger) : null;
        if (disasters == null || disasters.promisedToBeNew) {
            OnStore.withoutWaiting(new OperatorAccess(zookeeper.connect(), Clock.system(), operator));
        }
        for (int i = 0; i < count; i++) {
            replicas.add(new SimulatedReplica(this, "replica-" + i, clockOffMicros(i)));
        }
        if (setup.copies() != Copies.NONE) {
            copyOnce(SimulatedReplica.absent(this, "copy"));
        }
        for (int i = 0; i < CALLERS; i++) {
            strands.add(new SimulatedCaller(this, ledger));
        }
    }

    /** How far a replica's clock is off while nothing is wrong with it. */
    private long clockOffMicros(int replica) {
        return !setup.passed() ? 0 : replica % 2 == 0 ? APART_MICROS : -APART_MICROS;
    }

    private static long troubledNanos(Losses losses) {
        return switch (losses) {
            case NONE -> TROUBLED;
            case ANYTHING -> 2 * TROUBLED;
            case UNDER_LONG_WINDOWS -> 8 * TROUBLED;
            case BACKUPS_SERVED -> 15 * TROUBLED;
        };
    }

    /** Two schemes, each with as many slots as there are replicas, or one more or less. */
    private List<Scheme<?>> schemes(int replicas) {
        return twoOf(replicas).stream().<Scheme<?>>map(this::seen).toList();
    }

    private List<SmallPool<?>> twoOf(int replicas) {
        List<SmallPool<?>> all = new ArrayList<>(List.of(
                small(new EightByteScheme(3), replicas),
                small(new SnoScheme(7, 1, 1_024), replicas),
                small(new MuidScheme(), replicas),
                SmallPool.of(
                        new Uid60Scheme(Duration.ofSeconds(10)),
                        replicas + spareSlots() + (weather.slotsChangeHands() ? -1 : random.nextInt(2)),
                        Optional.of(Duration.ofSeconds(5 + random.nextInt(10))))));
        SmallPool<?> sno = all.get(1);
        all.remove(random.nextInt(all.size()));
        all.remove(random.nextInt(all.size()));
        if (weather.slotsAreHandedOver() && !all.contains(sno)) {
            all.set(0, sno); // the scheme that hands over snapshots
        }
        return all;
    }

    /** The same scheme, at whose generators somebody looks. */
    SmallPool<?> seen(SmallPool<?> scheme) {
        return scheme.telling(
                (pool, slot, fence, generator) -> onlooker.opened(tree.record(Slot.of(pool, slot)), fence, generator));
    }

    private SmallPool<?> small(Scheme<?> scheme, int replicas) {
        int spare = weather.slotsChangeHands() ? -1 : random.nextInt(3) - 1;
        return SmallPool.of(scheme, Math.max(1, replicas + spare + spareSlots()));
    }

    /** Slots beyond one for each replica; now and then none, so that replicas lack what others have. */
    private int spareSlots() {
        return several && random.nextInt(4) > 0 ? 2 + random.nextInt(3) : 0;
    }

    /** How many slots a replica is to hold of each scheme: one, or where a run has several, often more. */
    AllocatorSettings withLeases(AllocatorSettings settings, Random of) {
        Map<String, Integer> leases = new HashMap<>();
        for (Scheme<?> scheme : settings.schemes()) {
            int most = (int) Math.min(MOST_SLOTS, scheme.pool().orElseThrow().size());
            if (several && of.nextInt(8) > 0) {
                leases.put(scheme.name(), Math.min(most, 2 + of.nextInt(MOST_SLOTS - 1)));
            }
        }
        return settings.withLeases(leases);
    }

    /** Whether callers ask for more than one slot has: for a while and then not. */
    boolean busy() {
        return several && nowNanos / (2 * SECOND) % 3 != 2;
    }

    /** A caller draws from so many slots as one. */
    void drawnFrom(int slots) {
        mostSlots = Math.max(mostSlots, slots);
        if (slots > (several ? MOST_SLOTS : 1)) {
            throw new Violation("a replica has " + slots + " slots of one scheme\n" + this);
        }
    }

    /** A caller has received an ID in this way. */
    void drawn(Way way) {
        ways.merge(way, 1, Integer::sum);
    }

    /**
     * The last ID of a scheme that a caller has received, from whichever replica; empty where IDs are not passed along.
     */
    Optional<Id> passedAlong(Scheme<?> scheme) {
        return Optional.ofNullable(lastReceived.get(scheme.name()));
    }

    /** A caller has received this ID: others may draw IDs after it, where they sort by time. */
    void received(Id id, Scheme<?> scheme) {
        if (setup.passed() && !(id instanceof EightByteId)) {
            lastReceived.put(scheme.name(), id);
        }
    }

    /** A replica's clock was behind an ID that a caller has seen, by more than callers wait. */
    void refusedAsAhead() {
        refusals++;
    }

    /** The store of a process that begins: of this version, of the next one, or of the one before. */
    Store ofSomeVersion(SimulatedClient client, String name, SimulatedClock clock, Terms terms) {
        Store store = onlooker.before(client, clock, terms);
        boolean apart = setup.versions() == Versions.APART;
        int which = setup.versions() == Versions.ONE ? 0 : versions.nextInt(apart ? 2 : 3);
        return switch (which) {
            case 1 -> new NextVersion(store, client::lastWrite, name + "-" + versions.nextInt(), apart);
            case 2 -> new PreviousVersion(store);
            default -> store;
        };
    }

    /**
     * The tree as a replica reads and writes it. The system of each gives random bits of its own, also that of a copy.
     */
    Znodes nodes(Store store) {
        return new Znodes(store, tree, setup.copies() == Copies.WITHOUT_BITS ? () -> 0 : writes::nextLong);
    }

    /** Copies a replica at a moment that is drawn, or as soon after that as one serves. */
    private void copyOnce(SimulatedReplica absent) {
        later(copies.nextInt((int) (TROUBLED / 2 / MILLI)) * MILLI, () -> {
            if (absent.copy(replicas.get(copies.nextInt(replicas.size())))) {
                replicas.add(absent);
            } else if (!calm) {
                copyOnce(absent);
            }
        });
    }

    Result run() {
        if (disasters != null) {
            disasters.begin();
        }
        nextTroubleNanos = weather.calmNanos();
        strands.run();
        ledger.checkRanges();
        return new Result(
                ledger.size(),
                Map.copyOf(ways),
                ledger.answers(),
                refusals,
                mostSlots,
                zookeeper.transactions(),
                nowNanos / MILLI,
                drains,
                rotations,
                fingerprint);
    }

    long nowNanos() {
        return nowNanos;
    }

    Fault fault(String call) {
        if (disasters != null && !calm) {
            disasters.called(call);
        }
        return calm ? Fault.NONE : weather.fault();
    }

    long delayNanos() {
        return calm ? 0 : weather.delayNanos();
    }

    /** Has the scheduler do this so many nanoseconds from now. */
    void later(long nanos, Runnable what) {
        agenda.add(new Later(nowNanos + nanos, what));
    }

    /** Delivers the news of a watch that has fired, which may take its time. */
    void tell(Runnable news) {
        later(calm ? 0 : weather.newsDelayNanos(), news);
    }

    /** How far the leader's clock is from the truth, in milliseconds. */
    long leaderOff() {
        return leaderOffMillis;
    }

    /** Another leader, or a leader whose clock was set. */
    void leaderOff(long millis) {
        leaderOffMillis = millis;
    }

    /** How long a caller waits, at most, until it draws again. */
    long callerNanos() {
        if (disasters != null && calm) {
            return 2_000 * MILLI;
        }
        return switch (setup.losses()) {
            case NONE, ANYTHING -> 100 * MILLI;
            case UNDER_LONG_WINDOWS -> 500 * MILLI;
            case BACKUPS_SERVED -> 1_000 * MILLI;
        };
    }

    /** Lets another strand go on, perhaps. */
    void pause() {
        strands.pause();
    }

    /** The strand that runs waits for so many nanoseconds, or until it is unparked. */
    @Override
    public void park(long nanos) {
        strands.park(nowNanos + Math.max(0, nanos));
    }

    @Override
    public void unpark(Thread thread) {
        strands.unpark(thread);
    }

    void sleep(long nanos) {
        strands.current().sleepUntil(nowNanos + Math.max(0, nanos));
        strands.pause();
    }

    private long trueMillis() {
        return SimulatedClock.BEGINNING_MICROS / 1_000 + nowNanos / MILLI;
    }

    private long leaderMillis() {
        return trueMillis() + leaderOffMillis;
    }

    /** The generation in a layout node: a layout that is written again as it was begins none. */
    private static String generation(String path, String data) {
        return path + " " + Payloads.read(path, data, LayoutNode.class).generation();
    }

    private void written(String path, String data, boolean created) {
        if (disasters != null && path.equals(tree.meta())) {
            ledger.began(path, tree.root() + "/", disasters.floor(path));
        } else if (disasters != null && path.endsWith("/layout") && begun.add(generation(path, data))) {
            Instant least = disasters.floor(tree.meta());
            Instant floor = disasters.floor(path);
            ledger.began(path, path.replaceFirst("layout$", "records/"), floor.isAfter(least) ? floor : least);
        }
        if (path.contains("/records/")) {
            ledger.noted(path, NextVersion.slotNote(path, data), created);
        }
        if (path.contains("/records/") && !created) {
            SlotRecord record = readable(path, data);
            ledger.recorded(path, record, era(path));
            if (!record.isRetired() && record.reservedThrough().toEpochMilli() > leaderMillis() + FAR_AHEAD_MILLIS) {
                throw new Violation(path + " is reserved through " + record.reservedThrough());
            }
        }
    }

    private SlotRecord readable(String path, String data) {
        try {
            return record(path, data);
        } catch (StoreException e) {
            throw new Violation("somebody has written what nobody can read: " + e.getMessage());
        }
    }

    /** The record that a payload is, by whatever version it was written. */
    private SlotRecord record(String path, String data) {
        return read.computeIfAbsent(data, each -> Payloads.read(path, NextVersion.understood(each), SlotRecord.class));
    }

    /** The record at this path. */
    SlotRecord record(String path) {
        return record(path, zookeeper.node(path).orElseThrow().data());
    }

    /** The incarnation and the generation under which a record is written now. */
    private String era(String record) {
        String layout = record.replaceFirst("/records/.*", "/layout");
        return zookeeper.children(tree.meta()) + " " + zookeeper.children(layout);
    }

    /** Whether a process may start. */
    boolean mayStart() {
        return disasters == null || disasters.mayStart();
    }

    /** How long a process is down at most, in nanoseconds. */
    long downNanos() {
        return weather.slotsAreHandedOver() ? 200 * MILLI : 3_000 * MILLI;
    }

    /** A process is gone; when nothing goes wrong any more, its session goes at once. */
    void leaveBehind(long session) {
        if (calm) {
            zookeeper.expire(session);
        }
    }

    /** The scheduler: lets time pass and trouble come, and says who goes on. */
    private Strand next() {
        onlooker.look();
        elapse();
        while (true) {
            doWhatIsDue();
            if (!calm && nowNanos >= nextTroubleNanos) {
                trouble(weather.trouble());
                nextTroubleNanos = nowNanos + weather.calmNanos();
            }
            if (!calm && orders != null && nowNanos >= nextOrderNanos) {
                order(orders);
                nextOrderNanos = nowNanos + orders.nextInt(2_000) * MILLI;
            }
            if (!calm && disasters != null && nowNanos >= disasters.nextNanos) {
                disasters.strike();
            }
            if (!calm && nowNanos >= troubledNanos) {
                calmDown();
            }
            if (calm && nowNanos >= nextLookNanos) {
                look();
            }
            Strand chosen = choose();
            if (chosen != null) {
                fingerprint = 31 * fingerprint + strands.all().indexOf(chosen) + (int) nowNanos;
                return chosen;
            }
            nowNanos = strands.all().stream()
                    .filter(strands::mayGoOn)
                    .mapToLong(Strand::readyAtNanos)
                    .min()
                    .orElseThrow();
        }
    }

    private void doWhatIsDue() {
        if (agenda.isEmpty()) {
            return;
        }
        List<Later> due =
                agenda.stream().filter(later -> later.atNanos() <= nowNanos).toList();
        agenda.removeAll(due);
        due.forEach(later -> later.what().run());
    }

    /** Mostly no time at all passes, so that much happens within one tick. */
    private void elapse() {
        int luck = random.nextInt(100);
        nowNanos += luck < 70 ? 0 : luck < 95 ? random.nextInt((int) MILLI) : random.nextInt((int) (20 * MILLI));
    }

    private @Nullable Strand choose() {
        Strand current = strands.current();
        if (strands.ended() || (mayGoOn(current) && keepsRunning())) {
            return current;
        }
        List<Strand> ready = new ArrayList<>();
        for (Strand strand : strands.all()) {
            if (mayGoOn(strand)) {
                ready.add(strand);
            }
        }
        return ready.isEmpty() ? null : ready.get(random.nextInt(ready.size()));
    }

    private boolean mayGoOn(Strand strand) {
        return strand.readyAtNanos() <= nowNanos && strands.mayGoOn(strand);
    }

    /** After disasters, everybody waits long for floors: then the strand that runs mostly keeps running. */
    private boolean keepsRunning() {
        return (disasters != null && calm) ? random.nextInt(50) > 0 : weather.keepsRunning();
    }

    private void trouble(Weather.Trouble trouble) {
        SimulatedReplica replica = replicas.get(random.nextInt(replicas.size()));
        switch (trouble) {
            case EXPIRE -> expireOne();
            case SAY_LOST -> replica.sessionLost();
            case FREEZE_REPLICA -> replica.freezeUntil(nowNanos + upToSeconds(5));
            case FREEZE_THREAD ->
                strands.all().get(random.nextInt(strands.all().size())).freezeUntil(nowNanos + upToSeconds(5));
            case DISCONNECT -> disconnect(replica.client);
            case LAG -> lag(replica.client);
            case CLOCK_NEAR -> jump(replica, near());
            case CLOCK_FAR -> jump(replica, random.nextBoolean() ? YEAR_MICROS : -YEAR_MICROS);
            case CLOCK_TO_LAST_ID -> jump(replica, toLastId());
            case LEADER_CLOCK ->
                leaderOffMillis =
                        disasters == null ? random.nextInt(8_000) - 4_000L : disasters.leaderOffMillis(random);
            case ELECTION -> elect();
            case DELETE_LEASE -> oneLease().ifPresent(zookeeper::delete);
            case EDIT_LEASE ->
                oneLease()
                        .ifPresent(path -> zookeeper.set(
                                path, zookeeper.node(path).orElseThrow().data()));
            case CRASH -> replica.crash();
            case STOP -> replica.stop();
            case WIPE_META -> wipeMeta();
            case FENCE_RESTORE -> fenceRestore();
            case DELIVER -> deliverOne();
            case FALSE_ALARM -> replica.changed();
        }
    }

    /** An operator drains a replica for seconds at most, or has it change its slots. */
    private void order(Random random) {
        SimulatedReplica replica = replicas.get(random.nextInt(replicas.size()));
        if (random.nextInt(3) > 0) {
            replica.order(holder -> holder.rotate(() -> rotations++));
        } else {
            replica.order(holder -> holder.drain(() -> drains++));
            later(random.nextInt(3_000) * MILLI, () -> replica.order(LeasedHolder::resume));
        }
    }

    private void elect() {
        leaderOffMillis = disasters == null ? random.nextInt(400) - 200L : disasters.leaderOffMillis(random);
        long electionNanos = upToSeconds(2);
        for (SimulatedReplica each : replicas) {
            SimulatedClient client = each.client;
            client.connected(false);
            later(electionNanos + upToSeconds(1), () -> client.connected(true));
            if (random.nextBoolean()) {
                lag(client);
            }
        }
    }

    private void disconnect(SimulatedClient client) {
        client.connected(false);
        later(upToSeconds(3), () -> client.connected(true));
    }

    private void lag(SimulatedClient client) {
        client.lagging(true);
        later(upToSeconds(5), () -> client.lagging(false));
    }

    private void jump(SimulatedReplica replica, long micros) {
        SimulatedClock clock = replica.clock;
        clock.off(micros);
        later(upToSeconds(5), () -> clock.off(replica.clockOffMicros));
    }

    private void wipeMeta() {
        zookeeper.delete(tree.meta());
        later(upToSeconds(2), this::fenceRestore);
    }

    private long upToSeconds(int seconds) {
        return (long) (random.nextDouble() * seconds * SECOND);
    }

    private long near() {
        int millis = random.nextBoolean() ? 200 : 5_000;
        return (random.nextInt(2 * millis) - millis) * 1_000L;
    }

    private long toLastId() {
        return ledger.lateMicros(random) - SimulatedClock.BEGINNING_MICROS - nowNanos / 1_000 + random.nextInt(3) - 1;
    }

    private void expireOne() {
        List<Long> sessions = zookeeper.sessions();
        if (!sessions.isEmpty()) {
            zookeeper.expire(sessions.get(random.nextInt(sessions.size())));
        }
    }

    private void deliverOne() {
        List<Runnable> late = zookeeper.onTheWay();
        if (!late.isEmpty()) {
            late.remove(random.nextInt(late.size())).run();
        }
    }

    private Optional<String> oneLease() {
        List<String> leases = List.copyOf(leases());
        return leases.isEmpty() ? Optional.empty() : Optional.of(leases.get(random.nextInt(leases.size())));
    }

    private Set<String> leases() {
        Set<String> paths = new TreeSet<>();
        for (Scheme<?> scheme : usual.schemes()) {
            String parent = tree.leases(scheme.pool().orElseThrow());
            zookeeper.children(parent).forEach(name -> paths.add(parent + "/" + name));
        }
        return paths;
    }

    /** An operator runs fence-restore, and runs it again when the clocks differ too much. */
    private void fenceRestore() {
        if (disasters != null) {
            disasters.fenceRestore();
            return;
        }
        SimulatedClient client = zookeeper.connect();
        boolean apart = setup.versions() == Versions.APART; // then only the next version has a command that may do this
        try {
            OnStore.fenceRestore(
                    new OperatorAccess(
                            apart ? new NextVersion(client, client::lastWrite, "operator", true) : client,
                            new SimulatedClock(this::nowNanos, 0, () -> {}),
                            usual.settings("operator")),
                    FenceRestore.Options.promised(SESSION, usual.terms().maxClockSkew(), Instant.EPOCH));
        } catch (FencedException e) {
            later(SECOND / 2, this::fenceRestore);
        }
    }

    /** From now on nothing goes wrong. What went wrong is put right, as far as time or an operator would do it. */
    private void calmDown() {
        calm = true;
        List<Later> left = List.copyOf(agenda);
        agenda.clear();
        left.forEach(later -> later.what().run());
        zookeeper.onTheWay().clear();
        leaderOffMillis = 0;
        replicas.forEach(SimulatedReplica::calmDown);
        strands.all().forEach(strand -> strand.freezeUntil(nowNanos));
        List<Long> live = replicas.stream()
                .map(replica -> replica.client.believedSession())
                .toList();
        boolean shared =
                setup.copies() != Copies.NONE; // what one of two left on a session stays while the other one uses it
        zookeeper.sessions().stream()
                .filter(session -> shared || !live.contains(session))
                .forEach(zookeeper::expire);
        if (zookeeper.node(tree.meta()).isEmpty()) {
            fenceRestore();
        }
        limitNanos = nowNanos + PATIENCE + nanosReservedAhead(record -> !record.isRetired());
        limitNanos += disasters == null ? 0 : disasters.nanosOfWhatMayBeForgotten();
    }

    /**
     * Until when records last that were made in the place of lost ones, or of slots that came back: they reserve all
     * that may have been reserved, or was issued elsewhere.
     */
    private long untilLostAreCold() {
        long wait = nanosReservedAhead(
                record -> record.nonce().equals("lost") || record.nonce().startsWith("unretired-"));
        return wait > 0 ? nowNanos + wait + PATIENCE : 0;
    }

    /** How far ahead the furthest of these records reserves: the slot's next tenure has to wait for that. */
    private long nanosReservedAhead(Predicate<SlotRecord> which) {
        long micros = SimulatedClock.BEGINNING_MICROS + nowNanos / 1_000;
        long longest = 0;
        for (Scheme<?> scheme : usual.schemes()) {
            SlotPool pool = scheme.pool().orElseThrow();
            for (String name : zookeeper.children(tree.records(pool))) {
                SlotRecord record = record(tree.records(pool) + "/" + name);
                if (which.test(record)) {
                    longest = Math.max(longest, pool.unit().nanosUntil(record.ceiling() + 1, micros));
                }
            }
        }
        return longest;
    }

    /** Ends the run when everything is as it should be, and fails it when there was time enough for that. */
    private void look() {
        if (nowNanos > LONGEST) {
            throw new Violation("the run did not end within an hour\n" + this);
        }
        nextLookNanos = nowNanos + 50 * MILLI;
        if (disasters != null && setup.checksLiveness()) {
            boolean acted = disasters.patrol();
            long wait = disasters.nanosUntilFloors();
            if (acted || wait > 0) {
                limitNanos = Math.max(limitNanos, nowNanos + PATIENCE + wait + disasters.nanosOfWhatMayBeForgotten());
            }
            limitNanos = Math.max(limitNanos, untilLostAreCold());
        }
        if (disasters == null
                && setup.checksLiveness()
                && zookeeper.node(tree.meta()).isEmpty()) {
            fenceRestore(); // again: a replica knew of more than the last one counted, and removed what that began
            limitNanos = Math.max(limitNanos, nowNanos + PATIENCE);
        }
        Optional<String> wrong = setup.checksLiveness() ? wrong() : Optional.empty();
        if (wrong.isEmpty()) {
            strands.end();
        } else if (nowNanos >= limitNanos) {
            throw new Violation("still wrong after " + (limitNanos - troubledNanos) / SECOND + " s without trouble: "
                    + wrong.get() + "\n" + this);
        }
    }

    private Optional<String> wrong() {
        Set<String> serving = new TreeSet<>();
        for (SimulatedReplica replica : replicas) {
            replica.serving().stream().filter(held -> issues(replica, held)).forEach(held -> serving.add(held.lease()));
        }
        long wanted = wanted();
        if (serving.size() != wanted) {
            return Optional.of(serving.size() + " of " + wanted + " slots serve: " + serving);
        }
        Set<String> leases = leases();
        leases.removeIf(lease -> disasters != null && !disasters.isSlot(lease));
        return leases.equals(serving) ? Optional.empty() : Optional.of("leases " + leases + ", serving " + serving);
    }

    /**
     * How many slots serve where each replica has as many of each scheme as it is to hold, as far as there are slots.
     */
    private long wanted() {
        return usual.schemes().stream()
                .mapToLong(scheme -> Math.min(leases(scheme), usable(scheme)))
                .sum();
    }

    private long leases(Scheme<?> scheme) {
        return replicas.stream().mapToLong(replica -> replica.leases(scheme)).sum();
    }

    private long usable(Scheme<?> scheme) {
        long size = scheme.pool().orElseThrow().size();
        return disasters == null ? size : disasters.usable(scheme);
    }

    private boolean issues(SimulatedReplica replica, Serving held) {
        TickUnit unit = held.scheme().pool().orElseThrow().unit();
        long tick = unit.tickAt(SimulatedClock.BEGINNING_MICROS + nowNanos / 1_000 + replica.clockOffMicros);
        try {
            held.fence().check(tick);
            return tick >= held.fence().floorTick();
        } catch (FencedException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("at " + nowNanos / MILLI + " ms\n");
        replicas.forEach(replica -> text.append(replica).append('\n'));
        zookeeper
                .tree()
                .forEach((path, node) ->
                        text.append(path).append(' ').append(node).append('\n'));
        return text.toString();
    }
}
