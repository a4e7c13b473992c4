package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Parents;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.Member;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Does all that this replica does in ZooKeeper, step by step on one thread: joins the session, looks at meta, renews, claims
 * what is missing, swaps what is about to end, gives back what is over. Safety never waits for it: a fence falls by itself
 * when its deadline or ceiling passes, however long a step hangs.
 *
 * <p>{@link #sessionLost}, {@link #verifySoon} and the keepers may be called from any thread; the rest belongs to the one
 * that steps.
 */
final class LeaseLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);
    private static final long UNREACHABLE_RETRY = Duration.ofMillis(200).toNanos();
    private static final long CLAIM_RETRY = Duration.ofMillis(10).toNanos();
    private static final Duration REFUSED_RETRY = Duration.ofMillis(200);
    private static final int RENEWALS_PER_WINDOW = 4;
    private static final int SWAP_FRACTION = 5;

    private final Store store;
    private final Tree tree;
    private final Clock clock;
    private final AllocatorSettings settings;
    private final List<SlotKeeper> keepers;
    private final ClockJudge judge;
    private final Resolver resolver;
    private final Root root;
    private final Layouts layouts;
    private final SlotChooser chooser;
    private final Claimer claimer;
    private final Renewer renewer;
    private final Releaser releaser;
    private final Rollback rollback;
    private final Parents parents;
    private final Reservation reservation;
    private final Waits waits;
    private final List<Tenure> over = new ArrayList<>();
    private final Set<Tenure> refusedToGiveBack = new HashSet<>();
    private volatile boolean verify;
    private long joinedSession;
    private long renewalNanos;
    private long renewedNanos;
    private long giveBackNanos;
    private Root.@Nullable Seen meta;
    private Instant reservedThrough = Instant.EPOCH;
    private Instant poolsReservedThrough = Instant.EPOCH;

    LeaseLoop(Store store, Clock clock, AllocatorSettings settings, List<SlotKeeper> keepers, Random random) {
        this.store = store;
        this.tree = new Tree(settings.zookeeper().root());
        this.clock = clock;
        this.settings = settings;
        this.keepers = keepers;
        this.renewedNanos = clock.nanos();
        this.judge = new ClockJudge(clock, settings.maxClockSkew());
        this.reservation = new Reservation(settings.window());
        this.waits = new Waits(clock, settings.window(), settings.maxClockSkew());
        this.parents = new Parents(store, tree);
        this.resolver = new Resolver(store, tree);
        this.root = new Root(store, tree, settings.clusterId(), settings.terms().ahead(), judge);
        this.layouts = new Layouts(store, tree, settings.terms(), judge);
        this.chooser = new SlotChooser(store, tree, clock, random);
        this.claimer = new Claimer(
                store, tree, clock, judge, resolver, settings.replica(), reservation, waits, this::toGiveBack);
        this.renewer = new Renewer(store, tree, clock, judge, resolver, reservation);
        this.releaser = new Releaser(store, tree);
        this.rollback = new Rollback(store, tree);
    }

    /** One round; returns how many nanoseconds the next may wait. */
    long step() {
        try {
            join();
            lookAtMeta();
            return work();
        } catch (FencedException e) {
            fenceAll(rollback.explained(e));
            return REFUSED_RETRY.toNanos();
        } catch (StoreException e) {
            LOG.debug("ZooKeeper refused a step", e);
            retire();
            stand(Fencing.of(e));
            return e.kind() == StoreException.Kind.UNCERTAIN ? UNREACHABLE_RETRY : REFUSED_RETRY.toNanos();
        }
    }

    /** All that needs a meta that is trusted; returns how many nanoseconds the next step may wait. */
    private long work() {
        try {
            verifyIfAsked();
            fenceWhatCannotServe();
            retire();
            giveBack(); // before anything is claimed: it tells when ZooKeeper has lost what this replica wrote
            renewIfDue();
            keepers.forEach(this::keep);
            return nanosUntilDue();
        } catch (RolledBackException e) {
            LOG.warn("ZooKeeper seems to be rolled back: {}", e.getMessage());
            if (rollback.proves(e, seenMeta(), reservedThrough)) {
                throw Rollback.refusal(e);
            }
            stand(Rollback.refusal(e));
            return REFUSED_RETRY.toNanos();
        }
    }

    /** The session is gone for certain: fences at once, from any thread. */
    void sessionLost() {
        keepers.forEach(keeper ->
                keeper.tenure().ifPresent(t -> t.fence().trip(FenceReason.SESSION_LOST, t.toString())));
    }

    /** Something that was watched has changed: the next step reads everything back. */
    void verifySoon() {
        verify = true;
    }

    /**
     * On a new session: fences what the old one held, tells ZooKeeper who we are, and learns its time. The last again as long
     * as the clocks differ: it may be ZooKeeper's that was wrong and is put right.
     */
    private void join() {
        long session = store.session();
        if (session == joinedSession && !judge.off()) {
            return;
        }
        for (SlotKeeper keeper : keepers) {
            keeper.tenure()
                    .filter(t -> t.session() != session)
                    .ifPresent(t -> t.fence().trip(FenceReason.SESSION_LOST, "a new session serves; " + t));
        }
        lookAtMeta();
        parents.ensure(tree.members(), seenMeta());
        long sent = clock.nanos();
        judge.observe(announce(session), sent);
        renewalNanos =
                Math.min(settings.window().toNanos(), store.sessionTimeout().toNanos()) / RENEWALS_PER_WINDOW;
        joinedSession = session;
    }

    private Store.Written announce(long session) {
        Replica replica = settings.replica();
        String path = tree.member(replica.instance());
        String member = Json.write(new Member(
                Member.VERSION,
                replica.instance(),
                replica.host(),
                replica.pid(),
                replica.url(),
                "0x" + Long.toHexString(session),
                Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS)));
        List<Store.Op> ops = new ArrayList<>(seenMeta().checks(tree));
        if (store.read(path).isPresent()) {
            ops.add(new Store.Op.Delete(path, -1)); // of an earlier session of ours, or what this one wrote
        }
        ops.add(new Store.Op.Create(path, member, true));
        ops.add(new Store.Op.Write(path, member, 0));
        return store.multi(ops).get(0);
    }

    /** Fences everything when meta is gone, or is not the one under which the tenures were claimed. */
    private void lookAtMeta() {
        rememberWhatIsReserved();
        Root.Seen before = meta;
        Root.Seen now = seen();
        if (before != null && !before.equals(now)) {
            fenceTenures(FenceReason.META_CHANGED, "incarnation " + now.node().incarnation());
        }
        if (before != null && !before.node().incarnation().equals(now.node().incarnation())) {
            goOnUnder(now);
        }
        meta = now;
        if (Floors.isFar(now.floor(), now.leaderMillis())) {
            reservedThrough = Floors.later(reservedThrough, now.floor());
        }
    }

    /**
     * The highest ceiling that this replica ever had, of whatever pool. What others have reserved counts as well, where a floor tells
     * ({@link Floors#isFar}), because it would be forgotten with ZooKeeper's data. A pool's floor stays with its layout while there
     * is data, so it counts in an empty root alone.
     */
    private void rememberWhatIsReserved() {
        Stream.concat(tenures().stream(), over.stream())
                .map(Tenure::reservedThrough)
                .forEach(through -> reservedThrough = Floors.later(reservedThrough, through));
    }

    /** ZooKeeper's history is another one from now on. */
    private void goOnUnder(Root.Seen now) {
        if (now.floor().isBefore(reservedThrough)) {
            throw rollback.refusesFloor(now, reservedThrough);
        }
        Stream.concat(tenures().stream(), over.stream()).forEach(Tenure::forgetRecord);
        rollback.isOver();
    }

    private Root.Seen seen() {
        try {
            return root.look(Floors.later(reservedThrough, poolsReservedThrough));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.MALFORMED) {
                fenceTenures(FenceReason.META_CHANGED, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private void verifyIfAsked() {
        if (!verify) {
            return;
        }
        verify = false;
        try {
            verify();
        } catch (StoreException | RolledBackException e) {
            verify = true;
            throw e;
        }
    }

    private void verify() {
        List<String> watched = new ArrayList<>(List.of(tree.meta()));
        for (Tenure tenure : tenures()) {
            watched.add(tree.lease(tenure.pool(), tenure.slot()));
            watched.add(tree.layout(tenure.pool()));
        }
        store.watch(watched);
        tenures().forEach(renewer::resolve);
    }

    /** A slot that would issue nothing for long is exchanged; what it had reserved is its record's. */
    private void fenceWhatCannotServe() {
        for (Tenure tenure : tenures()) {
            FencedException why = waits.tooLong(tenure);
            if (why != null) {
                tenure.fence().trip(why);
            }
        }
    }

    /** Fenced tenures stop serving; what may still be ours in ZooKeeper is given back. */
    private void retire() {
        for (SlotKeeper keeper : keepers) {
            keeper.tenure().ifPresent(tenure -> {
                FencedException fenced = tenure.fence().fenced();
                if (fenced != null) {
                    LOG.atLevel(fenced.reason() == FenceReason.RELEASED ? Level.INFO : Level.WARN)
                            .log("fenced {}: {}", tenure, fenced.getMessage());
                    keeper.stand(fenced);
                    toGiveBack(tenure);
                }
            });
        }
    }

    private void renewIfDue() {
        if (nanosUntilRenewal() > 0) {
            return;
        }
        List<Tenure> tenures = tenures();
        if (!tenures.isEmpty()) {
            renewer.renew(tenures, seenMeta());
            retire();
        }
        renewedNanos = clock.nanos();
    }

    private long nanosUntilRenewal() {
        return Math.max(0, renewedNanos + renewalNanos - clock.nanos());
    }

    private void keep(SlotKeeper keeper) {
        if (keeper.due() && nanosUntilClaim(keeper) == 0) {
            try {
                claim(keeper);
            } catch (FencedException e) {
                refused(keeper, e);
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.UNCERTAIN) {
                    throw e;
                }
                refused(keeper, Fencing.of(e));
            }
        }
    }

    private void refused(SlotKeeper keeper, FencedException why) {
        if (keeper.tenure().isEmpty()) {
            LOG.debug("{} is not served: {}", keeper.scheme().name(), why.getMessage());
            keeper.stand(why);
        }
        keeper.tryAgainIn(chooser.jittered(REFUSED_RETRY).toNanos());
    }

    /** 0 when no tenure serves, or one that is about to end. */
    private long nanosUntilClaim(SlotKeeper keeper) {
        Optional<Tenure> tenure = keeper.tenure();
        if (tenure.isEmpty()) {
            return 0;
        }
        Optional<Duration> longest = keeper.pool().longestTenure();
        if (longest.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long margin = longest.get().toNanos() / SWAP_FRACTION;
        return Math.max(0, tenure.get().endNanos() - margin - clock.nanos());
    }

    private void claim(SlotKeeper keeper) {
        Layouts.Seen layout = layouts.agreed(keeper.pool(), seenMeta());
        if (Floors.isFar(layout.floor(), layout.leaderMillis())) {
            poolsReservedThrough = Floors.later(poolsReservedThrough, layout.floor());
        }
        awaitFloor(keeper.pool(), layout);
        long slot = chooser.choose(keeper.scheme().name(), keeper.pool());
        Optional<Tenure> claimed = claimer.claim(keeper.scheme(), keeper.pool(), slot, seenMeta(), layout);
        claimed.ifPresentOrElse(tenure -> swap(keeper, tenure), () -> keeper.tryAgainIn(CLAIM_RETRY));
    }

    /** Throws while no slot of the pool could be claimed with anything to issue. */
    private void awaitFloor(SlotPool pool, Layouts.Seen layout) {
        long micros = judge.requireMicros();
        long floor = Succession.firstTick(pool.unit(), seenMeta(), layout);
        if (floor > reservation.ceiling(pool.unit(), micros)) {
            throw Waits.cooling(pool.unit().nanosUntil(floor, micros));
        }
    }

    /** The new tenure serves from now on, unless it would have to wait while the old one need not. */
    private void swap(SlotKeeper keeper, Tenure claimed) {
        Optional<Tenure> old = keeper.tenure();
        if (old.isPresent()
                && claimed.fence().floorTick() > claimed.pool().unit().tickAt(clock.micros())) {
            end(claimed, FenceReason.RELEASED, "its ticks are still ahead");
            keeper.tryAgainIn(REFUSED_RETRY.toNanos());
            return;
        }
        LOG.info("claimed {}, ticks from {}", claimed, claimed.fence().floorTick());
        keeper.serve(claimed);
        old.ifPresent(tenure -> end(tenure, FenceReason.TENURE_ENDED, claimed + " follows"));
        verify = true; // arms the watches
    }

    private void end(Tenure tenure, FenceReason reason, String detail) {
        tenure.fence().trip(reason, detail);
        toGiveBack(tenure);
    }

    private void toGiveBack(Tenure tenure) {
        over.add(tenure);
        giveBackNanos = 0;
    }

    /** Releases what is over, on whatever session. A slot that turns out not to be ours any more needs nothing. */
    private void giveBack() {
        giveBackNanos = 0;
        for (Iterator<Tenure> i = over.iterator(); i.hasNext(); ) {
            Tenure tenure = i.next();
            tenure.generator().close();
            tenure.fence().trip(FenceReason.RELEASED, "given back");
            if (givenBack(tenure)) {
                i.remove();
                refusedToGiveBack.remove(tenure);
            }
        }
    }

    /** What one pool refuses does not keep the others from being served. */
    private boolean givenBack(Tenure tenure) {
        try {
            Resolver.Finding found = resolver.find(tenure);
            if (found.anythingOurs()) {
                releaser.release(tenure, found, seenMeta());
                LOG.info("released {}", tenure);
            }
            return true;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.UNCERTAIN) {
                throw e;
            }
            if (e.kind() != StoreException.Kind.CONFLICT) { // that is resolved in the next step, which comes at once
                giveBackNanos = REFUSED_RETRY.toNanos();
                LOG.atLevel(refusedToGiveBack.add(tenure) ? Level.WARN : Level.DEBUG)
                        .log("{} cannot be given back yet: {}", tenure, e.getMessage());
            }
            return false;
        }
    }

    /** Ends everything in order: fences, releases, and leaves. Throws when ZooKeeper does not take it. */
    void close() {
        fenceTenures(FenceReason.RELEASED, "this replica stops");
        retire();
        if (!over.isEmpty() || joinedSession != 0) {
            giveBackWhatThereIs();
            leave();
        }
    }

    /** Under a meta that is gone, or over records that are, nothing can be given back; then the session's end does. */
    private void giveBackWhatThereIs() {
        try {
            lookAtMeta();
            giveBack();
        } catch (RolledBackException | FencedException e) {
            LOG.warn("nothing is given back: {}", e.getMessage());
            over.clear();
        }
    }

    /** Whether everything is given back. */
    boolean closed() {
        return over.isEmpty();
    }

    private void leave() {
        String path = tree.member(settings.replica().instance());
        if (store.read(path).filter(node -> node.owner() == joinedSession).isPresent()) {
            store.multi(List.of(new Store.Op.Delete(path, -1)));
        }
    }

    private void fenceAll(FencedException why) {
        for (Tenure tenure : tenures()) {
            tenure.fence().trip(why);
        }
        retire();
        stand(why);
    }

    private void fenceTenures(FenceReason reason, String detail) {
        tenures().forEach(tenure -> tenure.fence().trip(reason, detail));
    }

    /** What callers are told where no tenure serves. */
    private void stand(FencedException why) {
        keepers.stream().filter(keeper -> keeper.tenure().isEmpty()).forEach(keeper -> keeper.stand(why));
    }

    private List<Tenure> tenures() {
        return keepers.stream().flatMap(keeper -> keeper.tenure().stream()).toList();
    }

    private Root.Seen seenMeta() {
        return Objects.requireNonNull(meta);
    }

    private long nanosUntilDue() {
        long due = nanosUntilRenewal();
        for (SlotKeeper keeper : keepers) {
            due = Math.min(due, Math.max(nanosUntilClaim(keeper), keeper.nanosUntilDue()));
        }
        return verify ? 0 : Math.min(due, over.isEmpty() ? Long.MAX_VALUE : giveBackNanos);
    }
}
