package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether one more replica with these settings would serve at once, and if not, why. Looks at all that a replica meets,
 * in the order in which the replica meets it; claims nothing, and changes nothing.
 */
public final class Doctor {
    private static final Logger LOG = LoggerFactory.getLogger(Doctor.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String ZOOKEEPER = "ZooKeeper";
    private static final List<String> BEFORE_POOLS =
            List.of("session", "chroot", "root", "rights", "strangers", "strays", "clock");
    private static final String ONE_SERVER = "an embedded ZooKeeper is one server, which the line above is about";
    private static final String MAY_NOT_WRITE = "this client may not write, see above";

    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Clock clock;
    private final AllocatorSettings settings;
    private final ClockJudge judge;
    private final Remedies remedies;
    private final Checklist list;
    private final Consumer<String> step;
    private Optional<Root.Seen> meta = Optional.empty();
    private Optional<Strangers> below = Optional.empty();
    private boolean empty;

    private Doctor(OperatorAccess access, Checklist list, Consumer<String> step) {
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.clock = access.clock();
        this.settings = access.settings();
        this.judge = access.judge();
        this.remedies = new Remedies(settings.zookeeper());
        this.list = list;
        this.step = step;
    }

    /**
     * Looks at everything. What comes after a failure that makes it moot is skipped. Waits up to 10 s for ZooKeeper, and up to 8 s
     * for those of its servers that do not answer.
     */
    public static List<Check> examine(AllocatorSettings settings) {
        return examine(settings, Clock.system(), step -> {});
    }

    /**
     * The same, by the caller's clock.
     *
     * @param step is told what is waited for, in a few words, before it is
     */
    public static List<Check> examine(AllocatorSettings settings, Clock clock, Consumer<String> step) {
        step.accept("ZooKeeper " + settings.zookeeper().connect() + " to answer");
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            OperatorAccess access = new OperatorAccess(connection.store(), clock, settings);
            return examine(access, new SessionProbe(settings.zookeeper()), step);
        } catch (StoreException e) {
            LOG.debug("ZooKeeper cannot be examined", e);
            return unreachable(settings, e, step);
        }
    }

    /** The same, on a store that is open. */
    static List<Check> examine(OperatorAccess access, ServerProbe probe, Consumer<String> step) {
        Checklist list = new Checklist(new Remedies(access.settings().zookeeper()));
        new Doctor(access, list, step).examine(probe);
        return list.checks();
    }

    private static List<Check> unreachable(AllocatorSettings settings, StoreException why, Consumer<String> step) {
        Checklist list = new Checklist(new Remedies(settings.zookeeper()));
        list.fail(ZOOKEEPER, Fencing.of(why));
        if (why.kind() == StoreException.Kind.REFUSED) {
            list.skip("servers", "not looked at: this client cannot log in, see above");
        } else {
            servers(settings, new SessionProbe(settings.zookeeper()), list, step);
        }
        skip(list, settings, BEFORE_POOLS, "ZooKeeper gives no session");
        return list.checks();
    }

    /** The embedded ZooKeeper has no other servers. */
    private static void servers(AllocatorSettings settings, ServerProbe probe, Checklist list, Consumer<String> step) {
        if (settings.zookeeper().namesEmbedded()) {
            list.skip("servers", ONE_SERVER);
        } else {
            step.accept("each of ZooKeeper's servers to answer");
            Servers.look(settings.zookeeper().connect(), probe, list);
        }
    }

    /** Says of these and of all schemes that they were not looked at. */
    private static void skip(Checklist list, AllocatorSettings settings, List<String> names, String why) {
        Stream.concat(names.stream(), settings.schemes().stream().map(Scheme::name))
                .forEach(name -> list.skip(name, "not looked at: " + why));
    }

    private void examine(ServerProbe probe) {
        boolean answers = list.attempt(ZOOKEEPER, this::answer);
        servers(settings, probe, list, step);
        if (!answers) {
            skip(list, settings, BEFORE_POOLS, "ZooKeeper does not answer");
            return;
        }
        step.accept("ZooKeeper " + settings.zookeeper().connect() + " to tell what is below " + tree.root());
        list.attempt("session", this::session);
        if (!list.attempt("chroot", this::chroot)) {
            skip(list, settings, List.of("root", "rights", "strangers", "strays", "clock"), "there is no chroot");
        } else if (list.attempt("root", this::root)) {
            belowRoot();
        } else if (empty) {
            inEmptyRoot();
        } else {
            skip(
                    list,
                    settings,
                    List.of("rights", "strangers", "strays", "clock"),
                    "the root cannot be read, see above");
        }
    }

    private void belowRoot() {
        if (!list.attempt("rights", () -> membership(seen()))) {
            skip(list, settings, List.of("strangers", "strays", "clock"), MAY_NOT_WRITE);
        } else {
            list.attempt("strangers", this::strangers);
            list.attempt("strays", this::strays);
            long micros = list.attempt("clock", this::clock) ? clock.micros() : clock.micros() - judge.skewMicros();
            PoolCheck pools = new PoolCheck(nodes, settings, remedies);
            settings.schemes()
                    .forEach(scheme -> list.attempt(scheme.name(), () -> pools.look(scheme, seen(), micros, list)));
        }
    }

    /** Where there is no root, nobody can ask ZooKeeper's time without making one. */
    private void inEmptyRoot() {
        boolean allowed = list.attempt("rights", this::beginning);
        list.skip("strangers", "there is nothing below the root");
        list.skip("strays", "there is nothing below the root");
        if (!allowed) {
            list.skip("clock", "not looked at: " + MAY_NOT_WRITE);
        } else if (nodes.exists(tree.root())) {
            list.attempt("clock", () -> {
                judge.ask(nodes);
                clock();
            });
        } else {
            list.skip(
                    "clock", "not looked at: ZooKeeper's time is told by a write below the root, which does not exist");
        }
        skip(list, settings, List.of(), allowed ? "there is nothing below the root" : MAY_NOT_WRITE);
    }

    private Root.Seen seen() {
        return meta.orElseThrow();
    }

    private void answer() {
        store.sync(tree.root()); // a client has a session before ZooKeeper looks at its credentials
        list.ok(ZOOKEEPER, settings.zookeeper().connect() + " answers");
    }

    /** What a session is granted is no reason not to serve: replicas go by it. */
    private void session() {
        Duration timeout = store.sessionTimeout();
        long granted = timeout.toMillis();
        long asked = settings.zookeeper().sessionTimeout().toMillis();
        if (granted == asked) {
            list.ok("session", "timeout " + granted + " ms, as asked for");
            return;
        }
        long window = settings.window().toMillis();
        list.warn(
                "session",
                "ZooKeeper refuses a timeout of " + asked + " ms and grants " + granted + " ms, by which replicas go"
                        + (granted < window
                                ? ": shorter than the window of " + window + " ms, so that an outage of "
                                        + granted / 10 * 8 + " ms fences them"
                                : ""),
                Remedies.refusedTimeout(settings.zookeeper().sessionTimeout(), timeout, settings.window()));
    }

    /** Without the chroot, the root would seem to be missing. */
    private void chroot() {
        Optional<String> chroot = Chroot.of(settings.zookeeper().connect());
        if (chroot.isEmpty()) {
            list.ok("chroot", "the connect string has none");
        } else if (Chroot.isMissing(store)) {
            throw Fencing.of(FenceReason.NO_CHROOT, chroot.get());
        } else {
            list.ok("chroot", chroot.get() + " exists");
        }
    }

    private void root() {
        meta = Root.read(nodes);
        if (meta.isPresent()) {
            list.ok("root", tree.root() + " has incarnation " + seen().node().incarnation() + madeBy(seen()));
        } else if (store.children(tree.root()).isEmpty()) {
            empty = true;
            list.fail(
                    "root",
                    tree.root() + " does not exist or is empty" + emptied()
                            + ": the first replica begins it, and serves "
                            + settings.terms().ahead().toSeconds() + " s later",
                    FenceReason.COOLING,
                    remedies.emptyRoot());
        } else {
            throw Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist");
        }
    }

    /** What tells a root that was lost from one that never was; empty where nothing does. */
    private String emptied() {
        if (store.read(tree.root()).filter(Root::hadMeta).isPresent()) {
            return ", and what was below it was deleted";
        }
        return settings.zookeeper().namesEmbedded()
                ? ", although an embedded ZooKeeper is made with it: it was deleted"
                : "";
    }

    /** Groups with other cluster IDs may share a root, or be here by mistake. */
    private String madeBy(Root.Seen incarnation) {
        Integer theirs = incarnation.node().clusterId();
        return theirs == null
                        || settings.clusterId().isEmpty()
                        || settings.clusterId().getAsInt() == theirs
                ? ""
                : "; a replica of clusterId " + theirs + " began it, and this one has "
                        + settings.clusterId().getAsInt() + ": both share this root";
    }

    private void membership(Root.Seen incarnation) {
        Rights rights = new Rights(nodes);
        List<Store.Op> ops = new ArrayList<>(incarnation.checks(tree));
        ops.addAll(rights.making(List.of(tree.members())));
        if (!rights.allow(ops)) {
            throw Fencing.of(FenceReason.NO_PERMISSION, tree.members());
        }
        judge.ask(nodes);
        list.ok("rights", "ZooKeeper lets this client write below " + tree.root());
    }

    /** A replica serves all the same. An embedded ZooKeeper is on the loopback interface, where who is no stranger to the machine is. */
    private void strangers() {
        if (settings.zookeeper().namesEmbedded()) {
            list.skip("strangers", "an embedded ZooKeeper answers this machine alone");
            return;
        }
        Strangers found = below();
        if (!found.untold().isEmpty()) {
            list.fail(
                    "strangers",
                    found.inWords().orElseThrow(),
                    FenceReason.NO_PERMISSION,
                    remedies.strangers() + "\nwhere that says that it may not: " + Remedies.othersOwn());
            return;
        }
        found.inWords()
                .ifPresentOrElse(
                        words -> list.warn("strangers", words, remedies.strangers()),
                        () -> list.ok(
                                "strangers",
                                "strangers may write none of the " + found.nodes() + " nodes of " + tree.root()));
    }

    /** What is there beside the allocator's own nodes. No replica reads it, and nobody knows who put it there. */
    private void strays() {
        List<String> strays = Strays.among(tree, below().access());
        if (strays.isEmpty()) {
            list.ok("strays", "nothing is below " + tree.root() + " but what the allocator makes");
        } else {
            list.warn(
                    "strays",
                    strays.size() + " of the " + below().nodes() + " nodes of " + tree.root()
                            + " are none that the allocator makes: " + Strangers.some(strays, path -> path),
                    remedies.strays(strays.get(0)));
        }
    }

    /** All nodes, looked at once. */
    private Strangers below() {
        if (below.isEmpty()) {
            below = Optional.of(Strangers.look(nodes));
        }
        return below.orElseThrow();
    }

    /** Whether the first replica may make the root, and write below it. */
    private void beginning() {
        Rights rights = new Rights(nodes);
        if (!rights.allow(rights.making(List.of(tree.root())))) {
            throw Fencing.of(FenceReason.NO_PERMISSION, tree.root());
        }
        list.ok("rights", "ZooKeeper lets this client write " + tree.root() + " and below it");
    }

    private void clock() {
        new Clocks(nodes, judge, settings.maxClockSkew(), settings.replica().host()).look(list);
    }
}
