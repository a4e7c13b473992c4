package org.idallocator.zk.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether one more replica with these settings would serve at once, and if not, why. Looks at all that a replica meets,
 * in the order in which the replica meets it; claims nothing, and changes nothing.
 */
public final class Doctor {
    private static final Logger LOG = LoggerFactory.getLogger(Doctor.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Clock clock;
    private final AllocatorSettings settings;
    private final ClockJudge judge;
    private final Rights rights;
    private final List<Finding> findings = new ArrayList<>();
    private Optional<Root.Seen> meta = Optional.empty();

    private Doctor(OperatorAccess access) {
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.clock = access.clock();
        this.settings = access.settings();
        this.judge = access.judge();
        this.rights = new Rights(nodes);
    }

    /**
     * One thing that was looked at.
     *
     * @param ok whether a replica serves as far as this is concerned
     * @param what what was looked at: {@code ZooKeeper}, {@code chroot}, {@code root}, {@code meta}, {@code clock}, {@code
     *     rights}, or a scheme
     * @param detail what was found, and the way out where it is bad
     * @param reason the code of the state that a replica would be in, {@code layout-mismatch}; null where it is ok
     */
    public record Finding(
            boolean ok,
            String what,
            String detail,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reason) {}

    /** Looks at everything. Ends with the first finding that makes the rest moot. Waits up to 10 s for ZooKeeper. */
    public static List<Finding> examine(AllocatorSettings settings) {
        return examine(settings, Clock.system());
    }

    /** The same, by the caller's clock. */
    public static List<Finding> examine(AllocatorSettings settings, Clock clock) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return examine(new OperatorAccess(connection.store(), clock, settings));
        } catch (StoreException e) {
            LOG.debug("ZooKeeper cannot be examined", e);
            FencedException why = Fencing.of(e);
            return List.of(new Finding(
                    false,
                    "ZooKeeper",
                    why.getMessage() + "; bring it up, or correct zookeeper.connect",
                    why.reason().code()));
        }
    }

    /** The same, on a store that is open. */
    static List<Finding> examine(OperatorAccess access) {
        return new Doctor(access).examine();
    }

    private List<Finding> examine() {
        if (attempt("ZooKeeper", this::session)
                && attempt("chroot", this::chroot)
                && attempt("root", this::root)
                && attempt("rights", () -> membership(seen()))) {
            long micros = attempt("clock", this::clock) ? clock.micros() : clock.micros() - judge.skewMicros();
            settings.schemes().forEach(scheme -> attempt(scheme.name(), () -> pool(scheme, micros)));
        }
        return findings;
    }

    private Root.Seen seen() {
        return meta.orElseThrow();
    }

    /** Makes one bad finding of an exception that a replica would meet, too. Returns whether there was none. */
    private boolean attempt(String what, Runnable look) {
        int bad = bad();
        try {
            look.run();
        } catch (FencedException e) {
            LOG.debug("a replica would not serve", e);
            say(what, e);
        } catch (StoreException e) {
            LOG.debug("a replica would not serve", e);
            say(what, Fencing.of(e));
        }
        return bad() == bad;
    }

    private int bad() {
        return (int) findings.stream().filter(finding -> !finding.ok()).count();
    }

    /** What a session is granted is no reason not to serve: replicas go by it. */
    private void session() {
        Duration granted = store.sessionTimeout();
        store.sync(tree.root()); // a client has a session before ZooKeeper looks at its credentials
        String other = granted.equals(settings.zookeeper().sessionTimeout())
                ? ""
                : ", by which replicas go; asked for were "
                        + settings.zookeeper().sessionTimeout().toMillis()
                        + " ms, which ZooKeeper's minSessionTimeout and maxSessionTimeout do not allow";
        ok("ZooKeeper", settings.zookeeper().connect() + ", session timeout " + granted.toMillis() + " ms" + other);
    }

    /** Without the chroot, the root would seem to be missing. */
    private void chroot() {
        String connect = settings.zookeeper().connect();
        int slash = connect.indexOf('/');
        if (slash >= 0 && !nodes.exists("/")) {
            throw Fencing.of(FenceReason.NO_CHROOT, connect.substring(slash));
        }
    }

    private void root() {
        meta = Root.read(nodes);
        if (meta.isPresent()) {
            ok("meta", "incarnation " + seen().node().incarnation() + madeBy(seen()));
        } else if (store.children(tree.root()).isEmpty()) {
            bad(
                    "root",
                    tree.root() + " does not exist or is empty: the first replica begins it, and serves "
                            + settings.terms().ahead().toSeconds()
                            + " s later; if there were replicas, zookeeper.root is"
                            + " misspelt, or ZooKeeper lost its data",
                    FenceReason.COOLING);
        } else {
            throw Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist");
        }
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
        List<Store.Op> ops = new ArrayList<>(incarnation.checks(tree));
        ops.addAll(rights.making(List.of(tree.members())));
        require(ops, tree.members());
        judge.ask(nodes);
        ok("rights", "ZooKeeper lets this client write below " + tree.root());
    }

    private void clock() {
        judge.requireMicros();
        ok(
                "clock",
                judge.skewMicros() / 1_000 + " ms from ZooKeeper's, allowed are "
                        + settings.maxClockSkew().toMillis() + " ms");
    }

    /** {@code micros} is the time, by this machine's clock where that is right. */
    private void pool(Scheme<?> scheme, long micros) {
        Optional<SlotPool> pool = scheme.pool();
        if (pool.isEmpty()) {
            ok(scheme.name(), "needs no slot");
            return;
        }
        Optional<Layouts.Seen> layout = Layouts.read(nodes, pool.get());
        if (layout.isPresent()) {
            new Layouts(nodes, settings.terms())
                    .requireAgreed(pool.get(), layout.get().node());
            slots(scheme, pool.get(), new Epoch(seen(), layout.get()), micros);
        } else {
            require(beginning(pool.get()), path(pool.get()));
            bad(scheme.name(), unbegun(pool.get()), FenceReason.COOLING);
        }
    }

    private String unbegun(SlotPool pool) {
        boolean used = nodes.exists(tree.records(pool));
        Duration ahead = used ? Terms.largest().ahead() : settings.terms().ahead();
        return tree.layout(pool) + " does not exist"
                + (used ? " although the pool was used" : ", so nobody has used the pool yet")
                + ": the first replica makes it, and serves " + ahead.toSeconds() + " s later";
    }

    private void slots(Scheme<?> scheme, SlotPool pool, Epoch epoch, long micros) {
        Survey survey = Survey.of(nodes, pool, epoch.layout(), micros);
        String counts = survey.counts(pool);
        if (survey.first().isEmpty()) {
            bad(scheme.name(), counts + "; " + wayOutOf(survey), noSlot(survey));
            return;
        }
        Survey.Candidate slot = survey.first().get();
        require(claim(pool, epoch, slot), path(pool));
        long firstTick = Math.max(slot.firstTick(), epoch.firstTick(pool.unit()));
        if (firstTick > pool.unit().maxTick()) {
            bad(scheme.name(), "no time is left after " + pool.unit().instantAt(firstTick), FenceReason.CEILING_PASSED);
        } else if (firstTick > pool.unit().tickAt(micros)) {
            Instant serves = pool.unit().instantAt(firstTick);
            Duration wait = Duration.between(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), serves);
            bad(
                    scheme.name(),
                    counts + ", and a free one serves at " + serves + ", in " + (wait.toMillis() + 999) / 1_000
                            + " s: earlier times are, or may have been, reserved; wait",
                    FenceReason.COOLING);
        } else {
            ok(scheme.name(), counts);
        }
    }

    private static FenceReason noSlot(Survey survey) {
        return survey.unreadable().isEmpty() ? FenceReason.NO_FREE_SLOT : FenceReason.MALFORMED_NODE;
    }

    private static String wayOutOf(Survey survey) {
        return survey.unreadable().isEmpty()
                ? "stop a replica that is not needed, run leases unretire for a slot, or enlarge the pool"
                : "put back what the records were, or retire their slots";
    }

    private String path(SlotPool pool) {
        return tree.root() + "/" + pool.path();
    }

    /** Throws where ZooKeeper refuses this client any of these operations, which are all at {@code path} or below. */
    private void require(List<Store.Op> ops, String path) {
        if (!rights.allow(ops)) {
            throw Fencing.of(FenceReason.NO_PERMISSION, path);
        }
    }

    /** What the first replica writes to a pool without a layout, up to its claim. */
    private List<Store.Op> beginning(SlotPool pool) {
        List<String> parents = parents(pool);
        parents.addAll(List.of(tree.layout(pool), tree.records(pool)));
        List<Store.Op> ops = new ArrayList<>(seen().checks(tree));
        ops.addAll(rights.making(parents));
        return ops;
    }

    /** What a choice and a claim of the slot write. */
    private List<Store.Op> claim(SlotPool pool, Epoch epoch, Survey.Candidate slot) {
        List<String> parents = parents(pool);
        List<Store.Op> ops = epoch.checks(tree, pool);
        if (slot.record().isPresent()) {
            ops.add(new Store.Op.Write(tree.records(pool) + "/" + slot.name(), "", -1));
        } else {
            parents.add(tree.records(pool));
        }
        ops.addAll(rights.making(parents));
        return ops;
    }

    /** Below what a replica makes nodes for each claim. */
    private List<String> parents(SlotPool pool) {
        List<String> parents = new ArrayList<>(List.of(tree.leases(pool)));
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.add(tree.index(pool));
        }
        return parents;
    }

    private void ok(String what, String detail) {
        findings.add(new Finding(true, what, detail, null));
    }

    private void bad(String what, String detail, FenceReason reason) {
        findings.add(new Finding(false, what, detail, reason.code()));
    }

    private void say(String what, FencedException why) {
        bad(what, String.valueOf(why.getMessage()), why.reason());
    }
}
