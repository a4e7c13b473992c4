package org.idallocator.faults.scene;

import static org.idallocator.core.testing.HangGuard.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.faults.load.Balancer;
import org.idallocator.faults.load.Load;
import org.idallocator.faults.load.Route;
import org.idallocator.faults.load.Target;
import org.idallocator.faults.load.Track;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Ports;
import org.idallocator.zk.testing.ZooKeeperProcesses;

/** One row's stage with everything on it. All waiting ends with an error; closing ends every process. */
public final class Scene implements AutoCloseable {
    /** The scheme that tells how a replica fares. */
    public static final String SNO = "sno";

    private static final String UID60 = "uid60";

    /** More than a slot has in a second, and asked for without a pause. */
    private static final int UID60S_AT_ONCE = 1_500;

    private static final long PAUSE_NANOS = 20_000_000;
    private static final long OTHERS_PAUSE_NANOS = 200_000_000;
    private static final long CROWD_PAUSE_NANOS = 500_000_000;
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);
    private static final int ZOOKEEPERS = 3;
    private static final int STARTED_AT_ONCE = 4;

    private final Kind kind;
    private final Stage stage;
    private final Plan plan;
    private final Path directory;
    private final long startNanos = System.nanoTime();
    private final Log log = new Log(startNanos);
    private final Receipts receipts;
    private final Load load;
    private final ZooKeeperProcesses zookeepers;
    private final Records records;
    private final Disks disks;
    private final List<Replica> replicas = new ArrayList<>();
    private Optional<Balancer> balancer = Optional.empty();
    private long closedNanos;

    /** Starts the ZooKeepers, and nothing else yet; what comes is kept in {@code directory}. */
    public Scene(Kind kind, Stage stage, Plan plan, Path directory) {
        this.kind = kind;
        this.stage = stage;
        this.plan = plan;
        this.directory = directory;
        this.receipts = new Receipts();
        this.load = new Load(receipts);
        this.zookeepers = ZooKeeperProcesses.of(ZOOKEEPERS, SickZooKeeper.class, Disks.options(directory));
        this.records = new Records(zookeepers);
        this.disks = new Disks(zookeepers, records, directory);
        log.same("version of the ZooKeepers", ZooKeeperProcesses.wantedVersion(), versions());
    }

    /** What the ZooKeepers say they are, once they answer: one version, unless they differ. */
    private String versions() {
        return IntStream.range(0, zookeepers.size())
                .mapToObj(member -> await("the version of ZooKeeper " + member)
                        .until(() -> zookeepers.version(member), Optional::isPresent)
                        .orElseThrow())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    public Plan plan() {
        return plan;
    }

    public Stage stage() {
        return stage;
    }

    public Log log() {
        return log;
    }

    public Load load() {
        return load;
    }

    public Receipts receipts() {
        return receipts;
    }

    public ZooKeeperProcesses zookeepers() {
        return zookeepers;
    }

    public Records records() {
        return records;
    }

    /** The ZooKeepers' disks. */
    public Disks disks() {
        return disks;
    }

    /** Whether replicas have an operator, whose commands they obey: the naive ones do not. */
    public boolean operated() {
        return !kind.isControl();
    }

    /**
     * Somebody with a configuration in which snos are cut as on {@code layout}, and with a straight line to ZooKeeper.
     */
    public Operator operator(Stage layout) {
        Kind.Settings settings = new Kind.Settings("operator", 0, 0, zookeepers.connectString(), layout);
        return new Operator(Kind.configuration(directory, settings), directory.resolve("operator.log"), log);
    }

    public List<Replica> replicas() {
        return List.copyOf(replicas);
    }

    /** The load balancer, on a stage that has one. */
    public Balancer balancer() {
        return balancer.orElseThrow();
    }

    /** One more replica, whose process is not started yet. */
    public Replica add() {
        String name = "replica-" + (replicas.size() + 1);
        List<Integer> ports = Ports.free(2);
        Optional<Network> network = stage.has(Stage.Trait.LINES)
                ? Optional.of(new Network(List.of(zookeepers.connectString().split(","))))
                : Optional.<Network>empty();
        Optional<FakeClock> clock = stage.has(Stage.Trait.CLOCKS)
                ? Optional.of(new FakeClock(directory.resolve(name + ".clock")))
                : Optional.empty();
        String connect = network.map(Network::connectString).orElse(zookeepers.connectString());
        Kind.Settings settings = new Kind.Settings(name, ports.get(0), ports.get(1), connect, stage);
        Target target = new Target(URI.create("http://127.0.0.1:" + ports.get(0)), load.track(name));
        Replica replica = new Replica(kind, settings, directory, target, network, clock);
        replicas.add(replica);
        return replica;
    }

    /**
     * Starts the stage's replicas and clients, and waits until every slot that can be held is held. The root is new,
     * and no replica of it runs anywhere; so that is promised, and none waits.
     */
    public void open() {
        if (kind == Kind.SERVICE) {
            FirstStart.withoutWaiting(settings());
        }
        for (int i = 1; i <= stage.replicas(); i++) {
            add().start();
            if (i % STARTED_AT_ONCE == 0 || i == stage.replicas()) {
                replicas.forEach(this::awaitListening);
            }
        }
        if (stage.has(Stage.Trait.BALANCED)) {
            openBalanced();
        } else {
            replicas.forEach(this::ask);
            awaitHolders();
            until("all serve what has slots enough", () -> replicas.stream().allMatch(this::servesOthers));
            awaitSeveralSlots();
        }
    }

    /** Waits until each replica has its second slot of uid60. */
    private void awaitSeveralSlots() {
        if (kind == Kind.SERVICE && !stage.crowded()) {
            until(
                    "all have several slots of " + UID60,
                    () -> replicas.stream()
                            .allMatch(replica ->
                                    Collections.frequency(records.holders(UID60).values(), replica.name()) > 1));
            log.note("before the fault, " + records.holders(UID60).size() + " slots of " + UID60 + " are held by "
                    + replicas.size() + " replicas");
        }
    }

    /** What {@link Kind#SERVICE} is configured with. */
    private AllocatorSettings settings() {
        return new AllocatorSettings(
                kind.schemes().stream().<Scheme<?>>map(this::scheme).toList(),
                ZooKeeperSettings.of(zookeepers.connectString()).withSessionTimeout(stage.session()),
                stage.window(),
                Stage.CLOCK_SKEW,
                MAX_WAIT,
                org.idallocator.zk.settings.Replica.named("operator", ""),
                Map.of(),
                Map.of());
    }

    private void openBalanced() {
        balancer =
                Optional.of(load.balancer(replicas.stream().map(Replica::target).toList()));
        until("the load balancer has found all", () -> balancer().ready().size() == stage.replicas());
        for (int i = 0; i < stage.replicas(); i++) {
            ask(balancer());
        }
    }

    private boolean servesOthers(Replica replica) {
        return others().allMatch(name -> replica.phases(name).serving());
    }

    /** The schemes of which there are slots enough for all replicas. */
    private Stream<String> others() {
        return kind.schemes().stream().filter(name -> !name.equals(SNO));
    }

    /** Clients of one replica. */
    public void ask(Replica replica) {
        ask(Route.to(replica.target()));
    }

    private void ask(Route route) {
        for (String name : kind.schemes()) {
            long pause = name.equals(SNO) ? PAUSE_NANOS : OTHERS_PAUSE_NANOS;
            load.singles(scheme(name), stage.crowded() ? CROWD_PAUSE_NANOS : pause, route);
            if (!stage.crowded()) {
                switch (name) {
                    case SNO -> load.many(scheme(SNO), 100_000, plan.pauseMillis() * 1_000_000, route);
                    case "muid" -> load.many(scheme(name), 10_000, OTHERS_PAUSE_NANOS, route);
                    case "eightbyte" -> load.many(scheme(name), 1_000, OTHERS_PAUSE_NANOS / 2, route);
                    default -> load.many(scheme(name), UID60S_AT_ONCE, 0, route);
                }
            }
        }
    }

    private Scheme<?> scheme(String name) {
        return name.equals(SNO) ? Kind.sno(stage) : Schemes.named(name, Schemes.all());
    }

    private void awaitListening(Replica replica) {
        await(replica + " listens")
                .pollInterval(Duration.ofMillis(50))
                .failFast(replica::requireAlive)
                .until(replica::listens);
    }

    /** Waits for a condition; throws when it does not come true. */
    public void until(String what, Callable<Boolean> condition) {
        await(what).until(condition);
    }

    /** A fault takes its time. */
    public void last(Duration duration) {
        long from = System.nanoTime();
        while (System.nanoTime() - from < duration.toNanos()) {
            LockSupport.parkNanos(duration.toNanos() - (System.nanoTime() - from));
        }
    }

    /** Those that served the last request for one sno. */
    public List<Replica> holders() {
        return replicas.stream()
                .filter(replica -> replica.phases(SNO).serving())
                .toList();
    }

    /** One that serves snos. */
    public Replica holder() {
        until("a replica serves", () -> !holders().isEmpty());
        return holders().get(0);
    }

    /** Waits until every slot has a holder that serves. */
    public void awaitHolders() {
        int expected = Math.min(stage.slots(), replicas.size());
        until(expected + " replicas serve", () -> holders().size() >= expected);
    }

    /** Waits until a replica serves a request sent at or after {@code nanos}; returns how many milliseconds later. */
    public long servedAfter(Replica replica, long nanos) {
        return millisLater(replica + " serves", nanos, () -> replica.phases(SNO).servedAfter(nanos));
    }

    private static long millisLater(String what, long nanos, Callable<Optional<Long>> when) {
        return (await(what).until(when, Optional::isPresent).orElseThrow() - nanos) / 1_000_000;
    }

    /**
     * Waits until so many of these replicas serve snos, and all of them what has slots enough, in answer to requests
     * sent at or after {@code nanos}; returns how many milliseconds later the last of them did.
     */
    public long servedAfter(List<Replica> some, int snos, long nanos) {
        until(
                snos + " of " + some + " serve snos",
                () -> firstServed(some, SNO, nanos).size() >= snos);
        until(
                some + " serve all else",
                () -> others().allMatch(name -> firstServed(some, name, nanos).size() == some.size()));
        long last = Stream.concat(
                        firstServed(some, SNO, nanos).stream().limit(snos),
                        others().flatMap(name -> firstServed(some, name, nanos).stream()))
                .mapToLong(served -> served)
                .max()
                .orElse(nanos);
        return (last - nanos) / 1_000_000;
    }

    private static List<Long> firstServed(List<Replica> some, String scheme, long nanos) {
        return some.stream()
                .flatMap(replica -> replica.phases(scheme).servedAfter(nanos).stream())
                .sorted()
                .toList();
    }

    /**
     * Waits until a replica has refused a request sent at or after {@code nanos}; returns how many milliseconds later.
     */
    public long fencedAfter(Replica replica, long nanos) {
        return millisLater(
                replica + " refuses", nanos, () -> replica.phases(SNO).fencedAfter(nanos));
    }

    /** Waits until replicas have refused requests of every scheme sent at or after {@code nanos}. */
    public void awaitAllFenced(List<Replica> some, long nanos) {
        until(
                some + " refuse all",
                () -> kind.schemes().stream()
                        .allMatch(name -> some.stream()
                                .allMatch(replica ->
                                        replica.phases(name).fencedAfter(nanos).isPresent())));
    }

    /** One that has no slot for snos. */
    public Replica waiting() {
        List<Replica> holders = new ArrayList<>();
        until(stage.slots() + " replicas serve, and no other one", () -> {
            holders.clear();
            holders.addAll(holders());
            return holders.size() == stage.slots();
        });
        return replicas.stream()
                .filter(replica -> !holders.contains(replica))
                .findFirst()
                .orElseThrow();
    }

    /**
     * No sno that a replica gave may have a tick after its deadline. Its last renewal was sent before {@code since}, so
     * the deadline lies at most a window after that. No slack is needed: the tick is read before the deadline.
     */
    public void requireFencedInTime(Replica replica, Instant since) {
        requireFencedInTime(replica, since, SNO);
    }

    /** The same of every scheme, where it cannot have got another slot meanwhile. */
    public void requireAllFencedInTime(Replica replica, Instant since) {
        kind.schemes().forEach(scheme -> requireFencedInTime(replica, since, scheme));
    }

    private void requireFencedInTime(Replica replica, Instant since, String scheme) {
        long sinceMicros = ChronoUnit.MICROS.between(Instant.EPOCH, since);
        long after = Math.floorDiv(replica.target().track().latestMicros(scheme) - sinceMicros, 1_000L);
        log.fenced(after);
        long limit = stage.window().toMillis();
        log.atMost("latest tick of " + replica + ", " + scheme, limit, after, " ms after the fault");
    }

    /** Since the load began, no request may have failed. */
    public void requireNoneFailed() {
        requireServed(1);
    }

    /** Since the load began, 99.99 % of requests must have been served. */
    public void requireAlmostNoneFailed() {
        requireServed(0.9999);
    }

    private void requireServed(double share) {
        long requests = load.tracks().stream().mapToLong(Track::requests).sum();
        long failed = load.tracks().stream().mapToLong(Track::failed).sum();
        log.atMost("requests that failed, of " + requests, (long) (requests * (1 - share)), failed, "");
    }

    /** How many requests to a replica failed. */
    public long failedOf(Replica replica) {
        return replica.target().track().failed();
    }

    /** How long the row took; until now, while it runs. */
    public long millis() {
        return ((closedNanos == 0 ? System.nanoTime() : closedNanos) - startNanos) / 1_000_000;
    }

    /** Ends the load in order, then everything. */
    public void finish() {
        load.stop();
        load.awaitAnswers();
        close();
    }

    @Override
    public void close() {
        if (closedNanos != 0) {
            return;
        }
        closedNanos = System.nanoTime();
        load.stop();
        balancer.ifPresent(Balancer::close);
        replicas.forEach(Replica::close);
        load.close();
        records.close();
        zookeepers.close();
    }
}
