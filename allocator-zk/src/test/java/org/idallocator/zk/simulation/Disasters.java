package org.idallocator.zk.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.operator.Revocation;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.simulation.Simulation.Losses;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.testing.SmallPool;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Tree;

/**
 * What befalls a {@link Simulation} besides its {@link Weather}: ZooKeeper loses what it acknowledged, backups come
 * back, configurations change, and an operator runs every command at any moment. Meanwhile holders are cut off, and
 * serve on.
 *
 * <p>Some things are assumed, because no protocol could do without them:
 *
 * <ul>
 *   <li>The ensemble's clocks agree within the allowed skew, but for a leader that is far off for a moment. By such a
 *       leader's time nobody begins anything, and nobody reserves.
 *   <li>What an operator promises is true: no replica ever had a longer window, or a larger skew, than the operator
 *       says.
 *   <li>After a backup came back and before fence-restore has run, nobody starts. Connected are only replicas that
 *       would notice the backup in every pool, because their own records are older than what they wrote. A replica that
 *       holds nothing cannot know that the records are old. So the operations guide says: stop the replicas, or at
 *       least start none.
 *   <li>No record is deleted while its pool's generation lives. Whoever claims the slot then takes it for one that was
 *       never used, while its holder may be cut off.
 *   <li>A root, or a pool with its records, is not lost where replicas have different windows or skews, or had until a
 *       moment ago: whoever begins it anew knows only its own terms. See {@link #termsChange}.
 * </ul>
 */
final class Disasters {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int BACKUPS_KEPT = 3;
    private static final Pattern FLOOR = Pattern.compile("fence-restore --floor (\\S+Z)");
    private static final long FAR_OFF_MILLIS = 30 * 60 * 1_000;

    private final Simulation simulation;
    private final SimulatedOperator operator;
    private final Ledger ledger;
    private final Random random;
    private final Tree tree;
    private final SimulatedZooKeeper zookeeper;
    final boolean promisedToBeNew; // whether somebody runs FirstStart before anything
    private final boolean termsChange;
    private final boolean cutsAllTheTime;
    private final long gapMillis;
    private final List<Disaster> kinds = new ArrayList<>();
    private final List<Backup> backups = new ArrayList<>();
    private final Map<String, Instant> usedElsewhere = new TreeMap<>();

    /** What payloads say. Most of those that are looked at every 50 ms have not changed. */
    private final Map<String, MetaNode> metas = new HashMap<>();

    private final Map<String, LayoutNode> layouts = new HashMap<>();
    private Configuration target;
    private Terms widest;
    long nextNanos;
    private int restored;
    private boolean unfenced;
    private long wrongSinceNanos = -1;
    private int acts;

    /** What may happen. */
    enum Disaster {
        /** Everything goes at once. */
        WIPE,
        /** Everything is deleted, node by node, or half of everything. */
        DELETE_ALL,
        LOSE_POOL,
        LOSE_RECORDS,
        LOSE_LEASES,
        LOSE_LAYOUT,
        LOSE_MEMBERS,
        BACK_UP,
        BRING_BACK,
        FENCE_RESTORE,
        /** A pool's layout or terms are changed by command; replicas follow sooner, later or never. */
        RELAYOUT,
        /** A replica is restarted with a configuration that nobody else has. */
        MISCONFIGURE,
        RETIRE,
        /** A retired slot comes back into its pool, which is used nowhere else. */
        UNRETIRE,
        REVOKE,
        LOOK,
        EXAMINE,
        /** A wall clock jumps to where somebody's rules ends. */
        CLOCK_TO_CEILING,
        /** A wall clock, and now and then the leader's, is as far ahead as is just allowed. */
        CLOCK_AHEAD,
        /** For a moment, a leader that has not heard of the time yet. */
        LEADER_FAR_OFF,
        /** All servers stop; a backup comes back in a while, and is served at once. */
        SERVE_BACKUP,
        /** A replica hears nothing of ZooKeeper for up to two minutes. */
        CUT_OFF,
        /**
         * No replica reaches ZooKeeper for up to a minute, or all servers are stopped. Whatever else happens, happens
         * meanwhile.
         */
        OUTAGE
    }

    /**
     * What happens where sno's pool is cut otherwise all the time, and its slots are retired and put back in between.
     */
    private static final Disaster[] CUTS = {
        Disaster.RELAYOUT, Disaster.RETIRE, Disaster.UNRETIRE, Disaster.CLOCK_TO_CEILING
    };

    /**
     * What happens where backups come back and are served. Slots that are retired or edited by hand meanwhile would be
     * forgotten.
     */
    static final Disaster[] SERVED = {
        Disaster.BACK_UP,
        Disaster.BACK_UP,
        Disaster.SERVE_BACKUP,
        Disaster.CUT_OFF,
        Disaster.REVOKE,
        Disaster.CLOCK_TO_CEILING,
        Disaster.CLOCK_AHEAD
    };

    private record Backup(NavigableMap<String, Znode> tree, List<Long> sessions) {}

    Disasters(Simulation simulation, Ledger ledger) {
        this.simulation = simulation;
        this.ledger = ledger;
        this.random = new Random(simulation.random.nextLong());
        this.operator = new SimulatedOperator(simulation);
        this.zookeeper = simulation.zookeeper;
        this.target = simulation.usual;
        this.widest = target.terms();
        this.tree = new Tree(target.settings("operator").zookeeper().root());
        this.promisedToBeNew = random.nextInt(4) > 0;
        this.termsChange = random.nextBoolean();
        Losses losses = simulation.setup.losses();
        boolean backupsAreServed = losses == Losses.BACKUPS_SERVED;
        this.cutsAllTheTime = !backupsAreServed && sno().isPresent() && random.nextInt(3) == 0;
        this.gapMillis = cutsAllTheTime ? 200 : random.nextBoolean() ? 1_000 : 4_000;
        Stream.of(backupsAreServed ? SERVED : cutsAllTheTime ? CUTS : Disaster.values())
                .filter(kind -> backupsAreServed || !isForLongWindows(kind))
                .filter(kind -> !termsChange || !losesTerms(kind))
                .filter(kind -> backupsAreServed || cutsAllTheTime || random.nextInt(100) < 60)
                .forEach(kinds::add);
        kinds.add(Disaster.CLOCK_AHEAD);
        if (losses == Losses.UNDER_LONG_WINDOWS) {
            kinds.addAll(List.of(Disaster.OUTAGE, Disaster.CUT_OFF));
        }
        nextNanos = upToSeconds(4);
    }

    /** Replicas whose windows are short do not outlast it. */
    private static boolean isForLongWindows(Disaster kind) {
        return kind == Disaster.SERVE_BACKUP || kind == Disaster.CUT_OFF || kind == Disaster.OUTAGE;
    }

    private static boolean losesTerms(Disaster kind) {
        return kind == Disaster.WIPE || kind == Disaster.DELETE_ALL || kind == Disaster.LOSE_POOL;
    }

    /**
     * The terms by which the replicas of a run reserve. Where backups are served, leaders' clocks are less than a
     * second apart. In another order, the seeds of before would give other runs.
     */
    static Terms terms(Random random, Losses losses) {
        return switch (losses) {
            case NONE -> Simulation.USUAL_TERMS;
            case ANYTHING -> {
                Duration window = anyOf(random, 4, 1);
                yield new Terms(window, window, Duration.ofMillis(random.nextBoolean() ? 500 : 2_000));
            }
            case UNDER_LONG_WINDOWS -> {
                Duration session = anyOf(random, 1, 4);
                Duration window = anyOf(random, 4, 20, 45, 90);
                yield new Terms(window, session, Duration.ofMillis(random.nextBoolean() ? 500 : 2_000));
            }
            case BACKUPS_SERVED -> {
                Duration session = anyOf(random, 8, 2);
                Duration window = anyOf(random, 2, 20, 40, 90);
                yield new Terms(window, session, Duration.ofMillis(random.nextBoolean() ? 500 : 1_000));
            }
        };
    }

    private static Duration anyOf(Random random, int... seconds) {
        return Duration.ofSeconds(seconds[random.nextInt(seconds.length)]);
    }

    /** Lets replicas start one after the other where nobody promised anything. */
    void begin() {
        if (!promisedToBeNew) {
            simulation.replicas.forEach(replica -> replica.freezeUntil(upToSeconds(3)));
        }
    }

    /** Whether a process may start: not between the return of a backup and fence-restore. */
    boolean mayStart() {
        return !unfenced;
    }

    /** Now and then freezes somebody who is about to begin an incarnation or a generation. */
    void called(String call) {
        boolean begins = call.startsWith("multi") && (call.contains("/meta/") || call.contains("/layout/"));
        if (begins && random.nextInt(4) == 0) {
            simulation.strands.current().freezeUntil(simulation.nowNanos() + upToSeconds(6));
        }
    }

    /** How far off a leader's clock is, in milliseconds: so little that any two leaders agree within the skew. */
    long leaderOffMillis(Random from) {
        return from.nextInt((int) skewMillis() + 1) - skewMillis() / 2;
    }

    private long skewMillis() {
        return simulation.usual.terms().maxClockSkew().toMillis();
    }

    void strike() {
        nextNanos = simulation.nowNanos() + (1 + random.nextInt((int) (2 * gapMillis))) * MILLI;
        Disaster kind = kinds.get(random.nextInt(kinds.size()));
        switch (kind) {
            case WIPE -> wipe();
            case DELETE_ALL -> deleteAll();
            case LOSE_POOL -> lose(pool(anyScheme()));
            case LOSE_RECORDS -> loseRecords();
            case LOSE_LEASES -> lose(tree.leases(anyScheme().pool().orElseThrow()));
            case LOSE_LAYOUT -> lose(tree.layout(anyScheme().pool().orElseThrow()));
            case LOSE_MEMBERS -> lose(tree.members());
            case BACK_UP -> backUp();
            case BRING_BACK -> bringBack();
            case FENCE_RESTORE -> fenceRestore();
            case RELAYOUT -> relayout();
            case MISCONFIGURE -> restart(anyReplica(), configured(otherwise(target)));
            case RETIRE -> retire();
            case UNRETIRE -> unretire();
            case REVOKE -> revoke();
            case LOOK -> order((store, clock) -> view(store, clock).leases());
            case EXAMINE ->
                order((store, clock) -> OnStore.examine(new OperatorAccess(store, clock, target.settings("doctor"))));
            case CLOCK_TO_CEILING -> clockToCeiling(anyReplica());
            case CLOCK_AHEAD -> clockAhead(anyReplica());
            case LEADER_FAR_OFF -> leaderFarOff();
            case SERVE_BACKUP -> serveBackup();
            case CUT_OFF -> disconnect(anyReplica(), upToSeconds(120));
            case OUTAGE -> outage();
        }
    }

    private long upToSeconds(int seconds) {
        return (long) (random.nextDouble() * seconds * SECOND);
    }

    private Optional<Scheme<?>> sno() {
        return target.schemes().stream()
                .filter(scheme -> scheme.name().equals("sno"))
                .findFirst();
    }

    private Scheme<?> anyScheme() {
        return cutsAllTheTime
                ? sno().orElseThrow()
                : target.schemes().get(random.nextInt(target.schemes().size()));
    }

    private SimulatedReplica anyReplica() {
        return simulation.replicas.get(random.nextInt(simulation.replicas.size()));
    }

    private String pool(Scheme<?> scheme) {
        return tree.root() + "/" + scheme.pool().orElseThrow().path();
    }

    /** Some replicas do not hear of what happens, or do nothing for a while, and may serve on. */
    private void cutSomeOff() {
        if (random.nextInt(3) == 0) {
            simulation.leaderOff(-skewMillis() / 2);
        }
        for (SimulatedReplica replica : simulation.replicas) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    disconnect(replica, upToSeconds(8));
                    if (random.nextBoolean()) {
                        simulation.later(upToSeconds(1), () -> clockToCeiling(replica));
                    }
                }
                case 1 -> replica.freezeUntil(simulation.nowNanos() + upToSeconds(8));
                default -> {
                    // hears of everything
                }
            }
        }
    }

    private void wipe() {
        cutSomeOff();
        if (random.nextBoolean()) {
            zookeeper.sessions().forEach(zookeeper::expire);
            zookeeper.restore(new TreeMap<>(Map.of("", Znode.parent())));
            zookeeper.forgetHistory();
            simulation.replicas.forEach(replica -> replica.client.lagging(false));
        } else {
            zookeeper.delete(random.nextBoolean() ? tree.root() : "");
        }
        ledger.forgetRetired();
    }

    private void deleteAll() {
        cutSomeOff();
        deleteByNode(tree.root());
        perhapsFenceRestore();
    }

    private void perhapsFenceRestore() {
        if (random.nextBoolean()) {
            simulation.later(upToSeconds(4), this::fenceRestore);
        }
    }

    /** All records of a pool go at once: see what is assumed of single records. */
    private void loseRecords() {
        cutSomeOff();
        ledger.forgetRetired();
        zookeeper.delete(tree.records(anyScheme().pool().orElseThrow()));
        perhapsFenceRestore();
    }

    private void lose(String path) {
        cutSomeOff();
        ledger.forgetRetired();
        if (random.nextBoolean()) {
            zookeeper.delete(path);
        } else {
            deleteByNode(path);
        }
        perhapsFenceRestore();
    }

    /**
     * Deletes node by node, the deepest first, nearly as {@code deleteall} does, and now and then ends halfway. But the
     * nodes on which every write is conditional go first, which {@code deleteall} does not promise: see what is
     * assumed.
     */
    private void deleteByNode(String path) {
        List<String> nodes = new ArrayList<>(zookeeper.tree().keySet().stream()
                .filter(name -> name.equals(path) || name.startsWith(path + "/"))
                .toList());
        nodes.sort(Comparator.comparing((String name) -> !isName(name))
                .thenComparing(name -> -name.chars().filter(c -> c == '/').count()));
        if (random.nextInt(4) == 0 && !nodes.isEmpty()) {
            nodes = nodes.subList(0, random.nextInt(nodes.size()));
        }
        long at = 0;
        for (String node : nodes) {
            at += random.nextInt((int) (random.nextInt(5) == 0 ? 300 * MILLI : MILLI));
            simulation.later(at, () -> {
                zookeeper.deleteNode(node);
                ledger.forgetRetired();
            });
        }
    }

    /** Whether this is the child of meta, or of a layout, on which every write is conditional. */
    private static boolean isName(String path) {
        return path.matches(".*/(meta|layout)/[^/]+");
    }

    private void backUp() {
        backups.add(new Backup(zookeeper.tree(), zookeeper.sessions()));
        if (backups.size() > BACKUPS_KEPT) {
            backups.remove(random.nextInt(backups.size()));
        }
    }

    private void bringBack() {
        if (backups.isEmpty()) {
            backUp();
            return;
        }
        Backup backup = backups.get(random.nextInt(backups.size()));
        cutSomeOff();
        unfenced = true;
        restored++;
        for (SimulatedReplica replica : simulation.replicas) {
            replica.holdBack(!replica.notices(backup.tree()) || random.nextBoolean());
            replica.client.lagging(false);
        }
        switch (random.nextInt(3)) {
            case 0 -> zookeeper.restore(backup.tree(), List.of()); // all sessions end
            case 1 -> zookeeper.restore(backup.tree(), backup.sessions()); // those of the backup live on
            default -> // and those of today
                zookeeper.restore(
                        backup.tree(),
                        Stream.concat(backup.sessions().stream(), zookeeper.sessions().stream())
                                .distinct()
                                .toList());
        }
        ledger.forgetRetired();
        simulation.later(upToSeconds(3), this::fenceRestore);
    }

    /**
     * Nobody hears of it. Some replicas reach ZooKeeper soon, also of those that were cut off before, and others later.
     */
    private void serveBackup() {
        backups.removeIf(old -> !eras(old.tree()).equals(eras(zookeeper.tree()))); // those need fence-restore
        if (backups.isEmpty() || zookeeper.isAway()) {
            backUp();
            return;
        }
        Backup backup = backups.get(random.nextInt(backups.size()));
        zookeeper.away(true);
        for (SimulatedReplica replica : simulation.replicas) {
            replica.client.lagging(false);
            disconnect(replica, Terms.RESTORE.toNanos() + upToSeconds(random.nextBoolean() ? 4 : 60));
        }
        simulation.later(Terms.RESTORE.toNanos() + upToSeconds(2), () -> {
            if (!simulation.calm) { // else less time has passed than is assumed
                zookeeper.restore(backup.tree(), random.nextBoolean() ? List.of() : backup.sessions());
                ledger.forgetRetired();
            }
            zookeeper.away(false);
        });
    }

    private void disconnect(SimulatedReplica replica, long nanos) {
        SimulatedClient client = replica.client;
        client.connected(false);
        simulation.later(nanos, () -> client.connected(true));
    }

    private void outage() {
        if (zookeeper.isAway()) {
            return;
        }
        long lasts = upToSeconds(60);
        zookeeper.away(random.nextBoolean());
        simulation.later(lasts, () -> zookeeper.away(false));
        for (SimulatedReplica replica : simulation.replicas) {
            disconnect(replica, lasts + upToSeconds(4));
        }
    }

    /** The names of the incarnation and of all generations. */
    private static List<String> eras(NavigableMap<String, Znode> tree) {
        return tree.keySet().stream().filter(Disasters::isName).toList();
    }

    /**
     * Has the operator run fence-restore until it succeeds, with a promise or without. Each try promises what is true
     * at that time: a promise that configurations have made wrong meanwhile is rightly refused.
     */
    void fenceRestore() {
        boolean promising = random.nextInt(8) > 0;
        AllocatorSettings settings = target.settings("operator");
        operator.insist(settings, (store, clock) -> {
            int before = restored;
            OnStore.fenceRestore(new OperatorAccess(store, clock, settings), options(promising));
            if (before == restored) {
                unfenced = false;
                simulation.replicas.forEach(replica -> replica.holdBack(false));
            }
        });
    }

    /**
     * Whoever promises nothing is right only where no replica had a window that has to be declared, and that nothing
     * shows.
     */
    private FenceRestore.Options options(boolean promising) {
        Instant floor = floorThatReplicasName();
        boolean mustDeclare = widest.window().compareTo(longestShown()) > 0;
        return promising || mustDeclare
                ? FenceRestore.Options.promised(widest.window(), widest.maxClockSkew(), floor)
                : new FenceRestore.Options(Optional.empty(), Optional.empty(), floor);
    }

    /** The longest window that nobody need declare, or that the operator's configuration or a layout declares. */
    private Duration longestShown() {
        return Stream.concat(
                        Stream.of(
                                Terms.LONGEST_UNDECLARED_WINDOW, target.terms().window()),
                        target.schemes().stream()
                                .flatMap(scheme -> layout(scheme).stream())
                                .map(layout -> layout.terms().window()))
                .reduce(Disasters::longer)
                .orElseThrow();
    }

    private Optional<LayoutNode> layout(Scheme<?> scheme) {
        String path = tree.layout(scheme.pool().orElseThrow());
        return zookeeper.node(path).map(node -> layout(path, node));
    }

    private LayoutNode layout(String path, Store.Node node) {
        return layouts.computeIfAbsent(node.data(), each -> Payloads.read(path, each, LayoutNode.class));
    }

    private MetaNode meta(String path, Store.Node node) {
        return metas.computeIfAbsent(node.data(), each -> Payloads.read(path, each, MetaNode.class));
    }

    /** The floor that replicas name when they refuse an earlier one, as {@code fence-restore --floor} takes it. */
    private Instant floorThatReplicasName() {
        return refusals()
                .map(refusal -> FLOOR.matcher(String.valueOf(refusal.getMessage())))
                .filter(Matcher::find)
                .map(named -> Instant.parse(named.group(1)))
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /** Why schemes are not served. */
    private Stream<FencedException> refusals() {
        return simulation.replicas.stream().flatMap(replica -> replica.refusals().stream());
    }

    private void relayout() {
        target = configured(otherwise(target));
        boolean fenceHolders = random.nextInt(3) > 0;
        if (random.nextBoolean()) {
            simulation.later(upToSeconds(1), this::cutSomeOff);
        }
        for (Scheme<?> scheme : target.schemes()) {
            orderRelayout(scheme, fenceHolders);
        }
        Configuration follows = target;
        for (SimulatedReplica replica : simulation.replicas) {
            switch (random.nextInt(3)) {
                case 0 -> restart(replica, follows);
                case 1 -> simulation.later(upToSeconds(4), () -> restart(replica, follows));
                default -> {
                    // nobody restarts this replica
                }
            }
        }
    }

    private void orderRelayout(Scheme<?> scheme, boolean fenceHolders) {
        AllocatorSettings settings = target.settings("operator");
        order((store, clock) -> OnStore.relayout(new OperatorAccess(store, clock, settings), scheme, fenceHolders));
    }

    private void restart(SimulatedReplica replica, Configuration configuration) {
        replica.configure(configuration);
        if (random.nextBoolean()) {
            replica.stop();
        } else {
            replica.crash();
        }
    }

    /**
     * Another configuration: sno cut otherwise, or other terms. Where terms must stay, at most the session timeout
     * changes.
     */
    private Configuration otherwise(Configuration from) {
        if (sno().isPresent() && (cutsAllTheTime || random.nextInt(3) > (termsChange ? 1 : 0))) {
            return from.with(cutOtherwise());
        }
        Terms terms = from.terms();
        return from.with(
                termsChange
                        ? terms(random, simulation.setup.losses())
                        : new Terms(terms.window(), longerSession(), terms.maxClockSkew()));
    }

    private Duration longerSession() {
        return simulation.usual.terms().sessionTimeout().plusSeconds(random.nextInt(3));
    }

    private Scheme<?> cutOtherwise() {
        int partition = 6 + random.nextInt(2);
        int shards = 1 << random.nextInt(4);
        SnoScheme other = new SnoScheme(partition, 2, shards);
        int replicas = simulation.replicas.size();
        long size = Math.max(
                2, replicas - 1 + random.nextInt(4)); // names have one digit for 2 slots, two for 3, three for 5
        return simulation.seen(
                SmallPool.of(other, Math.min(size, other.pool().orElseThrow().size())));
    }

    /** From now on somebody has this configuration. */
    private Configuration configured(Configuration configuration) {
        Terms terms = configuration.terms();
        widest = new Terms(
                longer(widest.window(), terms.window()),
                longer(widest.sessionTimeout(), terms.sessionTimeout()),
                longer(widest.maxClockSkew(), terms.maxClockSkew()));
        return configuration;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void order(SimulatedOperator.Command command) {
        operator.order(target.settings("operator"), command);
    }

    private ClusterView view(Store store, SimulatedClock clock) {
        return ClusterView.on(new OperatorAccess(store, clock, target.settings("operator")));
    }

    private void retire() {
        Scheme<?> scheme = anyScheme();
        long slot = random.nextInt((int) scheme.pool().orElseThrow().size());
        order((store, clock) -> view(store, clock).retire(scheme, slot));
    }

    /**
     * Now and then something else has issued IDs of the slot meanwhile, and its clock was ahead; the operator says so.
     * Nobody does this between the return of a backup and fence-restore: the guide has fence-restore come first.
     */
    private void unretire() {
        Scheme<?> scheme = anyScheme();
        order((store, clock) -> {
            List<String> names = unfenced ? List.of() : retiredNames(scheme);
            if (!names.isEmpty()) {
                SlotPool pool = scheme.pool().orElseThrow();
                String name = names.get(random.nextInt(names.size()));
                view(store, clock).unretire(scheme, pool.slotOf(name), usedUntil(pool, name));
            }
        });
    }

    /** The latest time of an ID that was issued elsewhere of the slot of this number; 1970 where none was. */
    private Instant usedUntil(SlotPool pool, String name) {
        String number = pool.path() + "/" + pool.slotOf(name);
        if (random.nextInt(3) == 0) {
            Instant now =
                    Instant.EPOCH.plusMillis(SimulatedClock.BEGINNING_MICROS / 1_000 + simulation.nowNanos() / MILLI);
            Instant until = now.plusMillis(random.nextInt((int) Terms.farthest().toMillis()));
            usedElsewhere.merge(number, until, Floors::later);
            ledger.used(tree.records(pool) + "/" + name, until);
        }
        return usedElsewhere.getOrDefault(number, Instant.EPOCH);
    }

    private void revoke() {
        Scheme<?> scheme = anyScheme();
        long slot = random.nextInt((int) scheme.pool().orElseThrow().size());
        order((store, clock) -> {
            LeaseNode lease = view(store, clock).lease(scheme, slot).lease();
            if (lease != null) {
                takeAway(view(store, clock), Slot.of(scheme, slot), lease.nonce());
            }
        });
    }

    private void takeAway(ClusterView view, Slot slot, String nonce) {
        int losses = ledger.losses();
        Revocation revocation = view.revoke(slot.scheme(), slot.number(), nonce);
        boolean mayBeLost = ledger.losses() != losses; // with what was written meanwhile
        if (revocation == Revocation.DONE && !mayBeLost) {
            ledger.takenAway(tree.record(slot), nonce);
        }
    }

    private void clockAhead(SimulatedReplica replica) {
        if (random.nextBoolean()) {
            simulation.leaderOff(skewMillis() / 2);
        }
        long leader = Math.abs(simulation.leaderOff()) == FAR_OFF_MILLIS ? 0 : simulation.leaderOff();
        long off = leader + skewMillis() - random.nextInt(100);
        replica.clock.off(off * 1_000);
        simulation.later(upToSeconds(8), () -> replica.clock.off(0));
    }

    private void leaderFarOff() {
        simulation.leaderOff(random.nextBoolean() ? FAR_OFF_MILLIS : -FAR_OFF_MILLIS);
        simulation.later(upToSeconds(2), () -> simulation.leaderOff(0));
    }

    private void clockToCeiling(SimulatedReplica replica) {
        replica.serving().stream().findAny().ifPresent(held -> {
            long micros = held.scheme()
                    .pool()
                    .orElseThrow()
                    .unit()
                    .microsAt(held.fence().ceilingTick());
            long before = random.nextInt(1_000_000); // the clock goes on, and must not pass the ceiling at once
            replica.clock.off(micros - before - SimulatedClock.BEGINNING_MICROS - simulation.nowNanos() / 1_000);
            simulation.later(upToSeconds(4), () -> replica.clock.off(0));
        });
    }

    /**
     * Does, after the trouble, what an operator does who reads the guide: gives all replicas one configuration, and the
     * pools the layout that it says; runs fence-restore where replicas ask for it; and takes away leases that nobody
     * serves.
     *
     * @return whether something was done
     */
    boolean patrol() {
        if (!operator.idle()) {
            return true;
        }
        boolean restarted = false;
        for (SimulatedReplica replica : simulation.replicas) {
            if (!replica.configuration.equals(target)) {
                restart(replica, target);
                restarted = true;
            }
        }
        if (restarted) {
            return true;
        }
        List<FenceReason> reasons = refusals().map(FencedException::reason).toList();
        boolean lost = unfenced || reasons.contains(FenceReason.META_GONE) || reasons.contains(FenceReason.ROLLED_BACK);
        List<Scheme<?>> differing =
                target.schemes().stream().filter(this::differs).toList();
        boolean differ = !differing.isEmpty() && reasons.contains(FenceReason.LAYOUT_MISMATCH);
        List<Unserved> unserved = lost || differ ? List.of() : unserved();
        if (!lost && !differ && unserved.isEmpty()) {
            wrongSinceNanos = -1;
            return false;
        }
        if (wrongSinceNanos < 0) {
            wrongSinceNanos = simulation.nowNanos();
        }
        if (simulation.nowNanos() - wrongSinceNanos < SECOND) {
            return false; // it may pass by itself
        }
        wrongSinceNanos = -1;
        if (++acts > 8) {
            throw new Violation("an operator has done what the guide says " + acts + " times\n" + simulation);
        }
        if (lost) {
            fenceRestore();
        } else if (differ) {
            differing.forEach(scheme -> orderRelayout(scheme, true));
        } else {
            unserved.forEach(this::orderRelease);
        }
        return true;
    }

    /**
     * Leases that came back with a backup while their session lives, and of which their holder knows nothing. Leases of
     * slots that the layout does not have are left out: they stay until their session ends, and hinder nobody.
     */
    private List<Unserved> unserved() {
        List<String> served = simulation.replicas.stream()
                .flatMap(replica -> replica.serving().stream())
                .map(Holder.Serving::lease)
                .toList();
        return target.schemes().stream()
                .flatMap(scheme -> leases(scheme).stream()
                        .filter(name -> isSlot(scheme, name))
                        .filter(name -> !served.contains(leasePath(scheme, name)))
                        .map(name -> lease(scheme, name)))
                .toList();
    }

    private List<String> leases(Scheme<?> scheme) {
        return zookeeper.children(tree.leases(scheme.pool().orElseThrow()));
    }

    private String leasePath(Scheme<?> scheme, String name) {
        return tree.leases(scheme.pool().orElseThrow()) + "/" + name;
    }

    private record Unserved(Slot slot, String nonce) {}

    private Unserved lease(Scheme<?> scheme, String name) {
        String path = leasePath(scheme, name);
        LeaseNode node = Payloads.read(path, zookeeper.node(path).orElseThrow().data(), LeaseNode.class);
        return new Unserved(Slot.of(scheme, scheme.pool().orElseThrow().slotOf(name)), node.nonce());
    }

    private void orderRelease(Unserved lease) {
        order((store, clock) -> takeAway(view(store, clock), lease.slot(), lease.nonce()));
    }

    private boolean differs(Scheme<?> scheme) {
        String path = tree.layout(scheme.pool().orElseThrow());
        return layout(scheme)
                .filter(node -> !node.differences(scheme.pool().orElseThrow(), target.terms())
                                .isEmpty()
                        || !zookeeper.children(path).contains(node.generation()))
                .isPresent();
    }

    /**
     * How many slots a scheme's pool has, by the configuration that replicas have at last, without the retired slots.
     */
    long usable(Scheme<?> usual) {
        Scheme<?> scheme = target.schemes().stream()
                .filter(each -> each.name().equals(usual.name()))
                .findFirst()
                .orElseThrow();
        return scheme.pool().orElseThrow().size() - retiredNames(scheme).size();
    }

    private List<String> retiredNames(Scheme<?> scheme) {
        String records = tree.records(scheme.pool().orElseThrow());
        return zookeeper.children(records).stream()
                .filter(name -> isSlot(scheme, name))
                .filter(name -> isRetired(records + "/" + name))
                .toList();
    }

    private boolean isRetired(String path) {
        return simulation.record(path).isRetired();
    }

    /** Whether a path is the lease of a slot that a pool has, by the configuration that replicas have at last. */
    boolean isSlot(String lease) {
        return target.schemes().stream()
                .anyMatch(scheme -> lease.startsWith(leasePath(scheme, ""))
                        && isSlot(scheme, lease.substring(leasePath(scheme, "").length())));
    }

    private static boolean isSlot(Scheme<?> scheme, String name) {
        return Pools.isSlot(scheme.pool().orElseThrow(), name);
    }

    /** How long a claim waits that cannot tell whether anything was lost. */
    long nanosOfWhatMayBeForgotten() {
        return widest.outlastRestore() ? widest.lead().toNanos() : 0;
    }

    /** How many nanoseconds until all floors are past. */
    long nanosUntilFloors() {
        long latest = floorMillis(tree.meta());
        for (Scheme<?> scheme : target.schemes()) {
            latest = Math.max(latest, floorMillis(tree.layout(scheme.pool().orElseThrow())));
        }
        return Math.max(0, latest - SimulatedClock.BEGINNING_MICROS / 1_000 - simulation.nowNanos() / MILLI) * MILLI;
    }

    private long floorMillis(String path) {
        return zookeeper.node(path).isPresent() ? floor(path).toEpochMilli() : 0;
    }

    /** The floor of the meta, or the layout, at this path. */
    Instant floor(String path) {
        Store.Node node = zookeeper.node(path).orElseThrow();
        return path.endsWith("/meta")
                ? meta(path, node).floorAt(node.leaderMillis())
                : layout(path, node).floorAt(node.leaderMillis());
    }
}
