package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that this replica does in ZooKeeper, step by step on one thread. A step looks at meta, announces the replica on a new
 * session, releases the tenures that ended, renews those that serve, changes slots where an operator wants others, and claims a
 * slot where none serves or a tenure is about to end. While the replica is drained, it claims nothing. Safety never depends on this thread: fences trip by themselves when their deadline
 * or ceiling passes, however long a step hangs.
 *
 * <p>{@link #sessionLost}, {@link #verifySoon} and the keepers may be called from any thread; the rest belongs to the thread
 * that steps.
 */
final class LeaseLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);
    private static final String STEP = "leases are not kept";
    private static final long RETRY_NANOS = TenureRules.RETRY.toNanos();

    private final Nodes nodes;
    private final Keepers keepers;
    private final TenureRules rules;
    private final Membership membership;
    private final MetaWatch meta;
    private final SlotFiller filler;
    private final Renewer renewer;
    private final Releases releases;
    private final Verification verification;
    private final Orders orders;
    private final Drain drain;
    private final Rotator rotator;
    private final FailureLog failures = new FailureLog(LOG);
    private final Connecting connecting;

    LeaseLoop(Store store, Clock clock, AllocatorSettings settings, Held held, Random random) {
        List<SlotGroup> groups = held.groups();
        this.nodes = Nodes.below(settings.zookeeper().root(), store);
        this.keepers = new Keepers(groups);
        this.rules = TenureRules.of(settings, clock);
        this.connecting = Connecting.fromNow(settings.zookeeper().connect(), clock);
        Resolver resolver = new Resolver(nodes);
        Root root = new Root(nodes, settings.clusterId(), settings.terms().ahead(), rules.judge());
        this.membership = new Membership(nodes, rules, settings.replica());
        this.releases = new Releases(nodes, resolver, rules.own());
        this.meta = new MetaWatch(nodes, root, this.keepers, releases);
        this.renewer = new Renewer(nodes, rules, resolver, this.keepers);
        this.verification = new Verification(nodes, this.keepers, renewer);
        Claimer claimer = new Claimer(nodes, rules, resolver, settings.replica(), releases::add);
        this.filler = new SlotFiller(
                new Layouts(nodes, settings.terms()), new SlotChooser(nodes, clock, random), claimer, rules, releases);
        this.orders = held.orders();
        this.drain = new Drain(orders, this.keepers, releases);
        this.rotator = new Rotator(orders, filler);
    }

    /**
     * What one replica holds, and what operators have asked of it.
     *
     * @param groups one for each scheme with slots
     */
    record Held(List<SlotGroup> groups, Orders orders) {}

    /** One step; returns how many nanoseconds the next may wait. */
    long step() {
        try {
            drain.obey(); // first: no outage keeps a drained replica's fences open
            collect();
            drain.tell(); // where nothing is held, no outage matters
            join();
            return work();
        } catch (FencedException e) {
            renewer.missed(keepers.tenures());
            FencedException why = meta.explained(e);
            rotator.refuse(why);
            drain.hindered(why);
            keepers.trip(why);
            collect();
            keepers.refuse(why);
            failures.refused(STEP, why);
            return RETRY_NANOS;
        } catch (StoreException e) {
            renewer.missed(keepers.tenures());
            renewer.troubled(e.kind());
            collect();
            FencedException why = connecting.refusal(e, membership.everJoined());
            rotator.refuse(why);
            drain.hindered(why);
            keepers.refuse(why);
            tell(e, why);
            return RETRY_NANOS;
        }
    }

    private void tell(StoreException e, FencedException why) {
        if (connecting.usual(e, membership.everJoined())) {
            LOG.debug("not connected yet", e);
        } else {
            LOG.debug("no answer", e);
            failures.refused(STEP, why); // in the words that callers hear, with the address
        }
    }

    /** The part of a step that needs a trusted meta; returns how many nanoseconds the next step may wait. */
    private long work() {
        try {
            verification.verifyIfAsked(this::renew);
            keepers.tenures().forEach(rules.waits()::tripIfTooLong);
            collect();
            releases.release(meta.seen()); // before any claim: reading back finds out what ZooKeeper has lost
            renew();
            drain.released();
            drain.tell();
            claim();
            membership.tellIfDue(meta.seen());
            renew();
            failures.over(STEP, "leases are kept again");
            return nanosUntilDue();
        } catch (RolledBackException e) {
            FencedException refusal = Rollback.refusal(e);
            refuse(e, refusal);
            renewer.missed(keepers.tenures());
            drain.hindered(refusal);
            keepers.refuse(refusal);
            return RETRY_NANOS;
        }
    }

    /** Has each scheme hold the slots that it is to hold. A replica whose gate is shut claims nothing. */
    private void claim() {
        if (!drain.mayClaim()) {
            orders.gate().refusal().ifPresent(rotator::refuse);
            return;
        }
        if (rotator.rotate(meta, this::renew)) {
            verification.ask(); // watches the new slots
        }
        for (SlotKeeper keeper : keepers.all()) {
            if (drain.mayClaim() && filler.fill(keeper, meta)) {
                verification.ask(); // watches the new slot
            }
            renew();
        }
    }

    /**
     * Renews if that is due. A step does this between all that asks ZooKeeper: what takes a few answers for each scheme or slot
     * takes long where answers are slow, and a deadline does not wait. So tenures may be collected in the midst of a step.
     */
    private void renew() {
        if (renewer.renewIfDue(keepers.tenures(), meta.seen())) {
            collect();
        }
    }

    /** Ends this with the refusal where the loss is proven. What was found is logged also where the proof has no answer. */
    private void refuse(RolledBackException found, FencedException refusal) {
        try {
            if (meta.proves(found)) {
                keepers.trip(refusal);
                throw refusal;
            }
        } finally {
            failures.failed(STEP, FenceReason.ROLLED_BACK, found);
        }
    }

    /** The session counts as gone: trips all fences at once. May be called from any thread. */
    void sessionLost() {
        keepers.tenures().forEach(tenure -> tenure.fence().trip(FenceReason.SESSION_LOST, tenure.toString()));
    }

    /** A watched node has changed: the next step reads everything back. */
    void verifySoon() {
        verification.ask();
    }

    /** Looks at meta. On a new session, trips the fences of what the old one held, and announces this replica. */
    private void join() {
        long session = nodes.store().session();
        if (membership.joined(session)) {
            meta.look();
            return;
        }
        keepers.tenures().stream()
                .filter(tenure -> tenure.session() != session)
                .forEach(tenure -> tenure.fence().trip(FenceReason.SESSION_LOST, "a new session serves; " + tenure));
        Root.Seen seen = meta.look();
        renewer.granted(nodes.store().sessionTimeout()); // first: whoever has joined renews in time
        membership.join(session, seen);
    }

    /** Collects the tenures whose fences have tripped: they stop serving, and are to be released. */
    private void collect() {
        keepers.collect(releases::add);
    }

    private long nanosUntilDue() {
        if (verification.isAsked()) {
            return 0;
        }
        long dueNanos = Math.min(renewer.nanosUntilDue(), releases.nanosUntilDue());
        if (!drain.mayClaim()) {
            return dueNanos;
        }
        if (orders.rotationsWait()) {
            return 0;
        }
        for (SlotKeeper keeper : keepers.all()) {
            dueNanos = Math.min(dueNanos, filler.nanosUntilDue(keeper));
        }
        return dueNanos;
    }

    /** Ends everything in order: trips the fences, releases the slots, and leaves. Throws when ZooKeeper does not answer. */
    void close() {
        endTenures();
        if (!releases.isEmpty() || membership.everJoined()) {
            releaseWhatThereIs();
            membership.leave();
        }
    }

    private void endTenures() {
        rotator.refuse(Fencing.of(FenceReason.CLOSED, "this replica stops"));
        keepers.trip(FenceReason.RELEASED, "this replica stops");
        collect();
    }

    /** Ends everything without ZooKeeper: what is not released yet is not released at all. */
    void giveUp() {
        endTenures();
        releases.giveUp();
    }

    /** Where meta or records are gone, nothing can be released; then the leases end with their session. */
    private void releaseWhatThereIs() {
        try {
            releases.release(meta.look());
        } catch (RolledBackException | FencedException e) {
            failures.failed("releasing everything", e.getClass(), e);
            releases.giveUp();
        }
    }

    /** How far the clock is ahead of ZooKeeper's (negative: behind); empty while nothing is known. May be called from any thread. */
    Optional<Duration> clockOffset() {
        return rules.judge().offset();
    }

    /** Whether everything is released. */
    boolean closed() {
        return releases.isEmpty();
    }
}
