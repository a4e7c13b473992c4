package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether one more replica with these settings would serve at once, and if not, why. Looks at all that a replica
 * meets, in the order in which the replica meets it; claims nothing, and leaves nothing changed.
 */
public final class Doctor {
    private static final Logger LOG = LoggerFactory.getLogger(Doctor.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String EMPTY = "there is nothing below the root";

    private final AllocatorSettings settings;
    private final Supplier<OperatorAccess> opening;
    private final Consumer<String> step;
    private final Tree tree;
    private final LeaderClock leaderClock;
    private final Remedies remedies;
    private final List<Check> checks = new ArrayList<>();
    private @Nullable OperatorAccess access; // once there is a session
    private Optional<Incarnation> meta = Optional.empty();
    private @Nullable String skipReason; // why nothing more is looked at

    /** {@code opening} waits for a session; throws {@link StoreException} where ZooKeeper gives none. */
    private Doctor(AllocatorSettings settings, Clock clock, Supplier<OperatorAccess> opening, Consumer<String> step) {
        this.settings = settings;
        this.opening = opening;
        this.step = step;
        this.tree = new Tree(settings.zookeeper().root());
        this.leaderClock = new LeaderClock(clock, settings.maxClockSkew());
        this.remedies = new Remedies(settings.zookeeper());
    }

    /**
     * Looks at everything. A check that an earlier failure makes moot is skipped. Waits up to 10 s for ZooKeeper, and
     * some 3 s for each server that does not answer. Asks several servers at a time where there are processors.
     */
    public static List<Check> examine(AllocatorSettings settings) {
        return examine(settings, Clock.system(), step -> {});
    }

    /**
     * The same, by the caller's clock.
     *
     * @param step is told, in a few words, what the doctor waits for next
     */
    public static List<Check> examine(AllocatorSettings settings, Clock clock, Consumer<String> step) {
        Servers servers = Servers.of(settings.zookeeper());
        step.accept("ZooKeeper " + settings.zookeeper().connect() + " to answer");
        try (OneConnection connection = new OneConnection()) {
            Supplier<OperatorAccess> opening =
                    () -> new OperatorAccess(connection.open(settings.zookeeper()), clock, settings);
            return new Doctor(settings, clock, opening, step).examineAll(servers);
        }
    }

    /** The connection of one examination. The first look opens it. */
    private static final class OneConnection implements AutoCloseable {
        private @Nullable Connection connection;

        Store open(ZooKeeperSettings settings) {
            Connection opened = Connection.open(settings, PATIENCE);
            connection = opened;
            return opened.store();
        }

        @Override
        public void close() {
            if (connection != null) {
                connection.close();
            }
        }
    }

    /** The same, on a store that is open. */
    static List<Check> examine(OperatorAccess access, Servers servers, Consumer<String> step) {
        return new Doctor(access.settings(), access.clock(), () -> access, step).examineAll(servers);
    }

    private List<Check> examineAll(Servers servers) {
        Optional<FencedException> unanswered = attempt("ZooKeeper", "ZooKeeper does not answer", this::awaitAnswer);
        checks.add(askEach(servers, unanswered).about("servers"));
        look("session", "ZooKeeper does not answer", this::compareSession);
        look("chroot", "there is no chroot", this::findChroot);
        look("root", "the root cannot be read, see above", this::readRoot);
        look("rights", "this client may not write, see above", this::tryRights);
        look("strangers", null, this::findStrangers);
        look("clock", null, this::compareClock);
        settings.schemes().forEach(scheme -> look(scheme.name(), null, () -> lookAtPool(scheme)));
        return checks;
    }

    /**
     * Adds what a look finds, unless an earlier one makes it moot.
     *
     * @param name of what is looked at, on the checklist
     * @param otherwise why nothing that comes after this is looked at where it throws; null where the rest is looked at
     *     all the same
     */
    private void look(String name, @Nullable String otherwise, Supplier<Finding> look) {
        if (skipReason != null) {
            checks.add(Finding.skipped(skipReason).about(name));
            return;
        }
        var unused = attempt(name, otherwise, look);
    }

    /** Adds what a look finds, or what it throws: a replica would meet that, too. Returns what it throws. */
    private Optional<FencedException> attempt(String name, @Nullable String otherwise, Supplier<Finding> look) {
        Optional<FencedException> thrown = thrownBy(() -> checks.add(look.get().about(name)));
        thrown.ifPresent(why -> addFailure(name, otherwise, why));
        return thrown;
    }

    private static Optional<FencedException> thrownBy(Runnable look) {
        try {
            look.run();
            return Optional.empty();
        } catch (FencedException e) {
            return Optional.of(e);
        } catch (StoreException e) {
            return Optional.of(e.fenced());
        } catch (ChangedMeanwhileException e) {
            return Optional.of(e.fenced());
        }
    }

    private void addFailure(String name, @Nullable String otherwise, FencedException why) {
        LOG.debug("a replica would not serve", why);
        FenceReason reason = why.reason();
        checks.add(Finding.fail(String.valueOf(why.getMessage()), reason, remedies.of(reason))
                .about(name));
        skipReason = otherwise;
    }

    /** What all looks but the first work with. */
    private OperatorAccess access() {
        return Objects.requireNonNull(access);
    }

    private Znodes nodes() {
        return access().nodes();
    }

    private Finding awaitAnswer() {
        access = opening.get();
        nodes().store().sync(tree.root()); // a client has a session before ZooKeeper looks at its credentials
        return Finding.ok(settings.zookeeper().connect() + " answers");
    }

    /** {@code unanswered} is why ZooKeeper does not answer, if it does not. */
    private Finding askEach(Servers servers, Optional<FencedException> unanswered) {
        if (settings.zookeeper().namesEmbedded()) {
            return Finding.skipped("an embedded ZooKeeper is one server, which the line above is about");
        }
        if (unanswered.filter(why -> why.reason() == FenceReason.NO_PERMISSION).isPresent()) {
            return Finding.skipped("this client cannot log in, see above");
        }
        step.accept("each of ZooKeeper's servers to answer");
        return servers.look(remedies.of(FenceReason.UNREACHABLE));
    }

    /** What a session is granted is no reason not to serve: replicas go by it. */
    private Finding compareSession() {
        step.accept("ZooKeeper " + settings.zookeeper().connect() + " to tell what is below " + tree.root());
        long granted = nodes().store().session().timeout().toMillis();
        long asked = settings.zookeeper().sessionTimeout().toMillis();
        if (granted == asked) {
            return Finding.ok("timeout " + asked + " ms, as asked for");
        }
        String seen =
                "ZooKeeper refuses a timeout of " + asked + " ms and grants " + granted + " ms, by which replicas go";
        return Finding.warn(seen, Remedies.refusedTimeout(asked, granted));
    }

    /** Without the chroot, the root would seem to be missing. */
    private Finding findChroot() {
        String chroot = access().chroot();
        if (access().lacksChroot()) {
            throw FencedException.of(FenceReason.NO_CHROOT, chroot);
        }
        return Finding.ok(chroot.isEmpty() ? "the connect string has none" : chroot + " exists");
    }

    /** Remembers the incarnation, which what comes after this goes by. */
    private Finding readRoot() {
        meta = Incarnations.read(nodes());
        if (meta.isPresent()) {
            String incarnation = meta.get().node().incarnation();
            return Finding.ok(tree.root() + " has incarnation " + incarnation);
        }
        if (!nodes().store().children(tree.root()).isEmpty()) {
            throw FencedException.of(FenceReason.META_GONE, tree.meta() + " does not exist");
        }
        return Finding.fail(
                tree.root() + " does not exist or is empty" + emptied() + ": the first replica begins it, and serves "
                        + settings.terms().ahead().toSeconds() + " s later",
                FenceReason.COOLING,
                remedies.emptyRoot());
    }

    /** What tells a root that was lost from one that never was: whatever makes a meta leaves a floor in the root. */
    private String emptied() {
        Optional<Store.Node> root = nodes().store().read(tree.root());
        return root.flatMap(node -> Floors.parse(node.data())).isPresent() ? ", and what was below it was deleted" : "";
    }

    /** Whether a replica may write below the root; where there is none, whether the first one may make it. */
    private Finding tryRights() {
        String parent = meta.isPresent() ? tree.members() : tree.root();
        new Rights(nodes()).require(meta.map(seen -> seen.checks(tree)).orElse(List.of()), List.of(parent), parent);
        return Finding.ok("ZooKeeper lets this client write below " + tree.root());
    }

    /**
     * A replica serves all the same. An embedded ZooKeeper is on the loopback interface, where who is no stranger to
     * the machine is.
     */
    private Finding findStrangers() {
        if (settings.zookeeper().namesEmbedded()) {
            return Finding.skipped("an embedded ZooKeeper answers this machine alone");
        }
        if (meta.isEmpty()) {
            return Finding.skipped(EMPTY);
        }
        List<String> open = new ArrayList<>(List.of(tree.root(), tree.meta()));
        settings.schemes().stream()
                .flatMap(scheme -> scheme.pool().stream())
                .forEach(pool -> open.addAll(List.of(tree.layout(pool), tree.leases(pool), tree.records(pool))));
        open.removeIf(path -> !nodes().exists(path) || !nodes().store().worldMayWrite(path));
        return open.isEmpty()
                ? Finding.ok("nobody may write the root, meta or what slots are below without credentials")
                : Finding.warn("anybody may write " + String.join(", ", open), remedies.strangers());
    }

    /** Where there is no root, nobody can ask for ZooKeeper's time without making one. */
    private Finding compareClock() {
        if (meta.isEmpty() && !nodes().exists(tree.root())) {
            return Finding.skipped("ZooKeeper's time is told by a write below the root, which does not exist");
        }
        leaderClock.ask(nodes());
        var unused = leaderClock.requireMicros();
        return Finding.ok(Math.abs(leaderClock.skewMicros()) / 1_000 + " ms from ZooKeeper's, allowed are "
                + settings.maxClockSkew().toMillis() + " ms");
    }

    private Finding lookAtPool(Scheme<?> scheme) {
        if (meta.isEmpty()) {
            return Finding.skipped(EMPTY);
        }
        Duration offset = Duration.of(leaderClock.isOff() ? leaderClock.skewMicros() : 0, ChronoUnit.MICROS);
        return scheme.pool()
                .map(pool -> new PoolCheck(access(), offset, scheme, pool, remedies).look(meta.get()))
                .orElseGet(() -> Finding.ok("needs no slot"));
    }
}
