package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.MemberNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All replicas' leases as ZooKeeper has them. Operators look at them, take a slot away from its holder, and retire
 * slots. A call that asks ZooKeeper throws {@link UnreachableException} when ZooKeeper does not answer. A view is no
 * replica: it joins nothing, and looking makes nothing. Thread-safe.
 */
public final class ClusterView implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);

    private final OperatorAccess access;
    private final Znodes nodes;
    private final AllocatorSettings settings;
    private final Supplier<Optional<Duration>> clockOffset;
    private final Runnable closing;

    private ClusterView(OperatorAccess access, Supplier<Optional<Duration>> clockOffset, Runnable closing) {
        this.access = access;
        this.nodes = access.nodes();
        this.settings = access.settings();
        this.clockOffset = clockOffset;
        this.closing = closing;
    }

    /** A view on an open store, which stays open when the view is closed. */
    public static ClusterView on(OperatorAccess access) {
        return on(access, Optional::empty);
    }

    /**
     * The same, for a caller that knows ZooKeeper's time.
     *
     * @param clockOffset how far the clock is ahead of ZooKeeper's (negative: behind), where that is known
     */
    public static ClusterView on(OperatorAccess access, Supplier<Optional<Duration>> clockOffset) {
        return new ClusterView(access, clockOffset, () -> {});
    }

    /** A view on a connection of its own, which ends when the view is closed. Waits up to 15 s for ZooKeeper. */
    public static ClusterView connect(AllocatorSettings settings) {
        return OperatorAccess.asking(() -> {
            Connection connection = OperatorAccess.open(settings);
            OperatorAccess access = new OperatorAccess(connection.store(), Clock.system(), settings);
            return new ClusterView(access, Optional::empty, connection::close);
        });
    }

    /** Who holds a slot now, also where the lease cannot be read. */
    public Holder holder(Scheme<?> scheme, long slot) {
        return OperatorAccess.asking(() -> nodes.lease(Slot.of(scheme, slot)))
                .map(Holder::of)
                .orElse(Holder.nobody());
    }

    /** Where ZooKeeper is, as its clients write it: {@code 127.0.0.1:2181}; with the chroot, if there is one. */
    public String connectString() {
        return settings.zookeeper().connect();
    }

    /** The path below which everything is. */
    public String root() {
        return settings.zookeeper().root();
    }

    /** The slots of all schemes that have a lease or a record. */
    public List<LeaseView> leases() {
        return pools().stream().flatMap(pool -> pool.slots().stream()).toList();
    }

    /** The slots of a scheme that have a lease or a record; none for a scheme without slots. */
    public List<LeaseView> leases(Scheme<?> scheme) {
        return pool(scheme).map(PoolView::slots).orElse(List.of());
    }

    /** One slot, used or not. */
    public LeaseView lease(Scheme<?> scheme, long slot) {
        return OperatorAccess.asking(() -> SlotReader.readSlot(access, clockOffset, Slot.of(scheme, slot)));
    }

    /**
     * One slot that was just changed. The change stays done. Where ZooKeeper does not answer any more, the view says
     * that the slot cannot be read. Does not throw {@link UnreachableException}.
     */
    public LeaseView changed(Scheme<?> scheme, long slot) {
        Slot changed = Slot.of(scheme, slot);
        try {
            return SlotReader.readSlot(access, clockOffset, changed);
        } catch (StoreException e) {
            LOG.debug("slot {} was changed, and cannot be read", changed, e);
            Tree tree = nodes.tree();
            String why = "it was changed; how it is now cannot be read: " + e.getMessage();
            return LeaseView.unreadable(scheme.name(), changed.name(), tree.lease(changed), tree.record(changed), why);
        }
    }

    /** The pools of all schemes with slots. */
    public List<PoolView> pools() {
        return settings.schemes().stream()
                .flatMap(scheme -> pool(scheme).stream())
                .toList();
    }

    /** The pool of a scheme; empty for a scheme without slots. */
    public Optional<PoolView> pool(Scheme<?> scheme) {
        return OperatorAccess.asking(() -> scheme.pool()
                .map(pool -> SlotReader.readPool(access, clockOffset, scheme).pool()));
    }

    /** The pools and the replicas. */
    public ClusterState state() {
        List<PoolView> pools = pools();
        return new ClusterState(pools, OperatorAccess.asking(() -> members(pools)));
    }

    /** The replicas whose sessions live, and what they hold. */
    public List<MemberView> members() {
        return state().members();
    }

    private List<MemberView> members(List<PoolView> pools) {
        Map<String, List<MemberView.HeldName>> slots = pools.stream()
                .flatMap(pool -> pool.slots().stream())
                .filter(slot -> slot.lease() != null)
                .collect(Collectors.groupingBy(
                        slot -> String.valueOf(
                                Objects.requireNonNull(slot.lease()).session()),
                        Collectors.mapping(
                                slot -> new MemberView.HeldName(slot.scheme(), slot.slot()), Collectors.toList())));
        List<String> paths = nodes.store().children(nodes.tree().members()).stream()
                .sorted()
                .map(nodes.tree()::member)
                .toList();
        Answers answers = nodes.readAll(paths);
        return paths.stream()
                .flatMap(path -> member(path, answers, slots).stream())
                .toList();
    }

    /**
     * A replica's node ends with its session; what else is there is no replica's. Of a node that may not be read,
     * nobody knows that.
     */
    private Optional<MemberView> member(String path, Answers answers, Map<String, List<MemberView.HeldName>> slots) {
        return answers.forbidden(path)
                .map(why -> MemberView.unreadable(path, why))
                .or(() -> answers.found(path, MemberNode.class)
                        .filter(found -> found.node().isEphemeral())
                        .map(found -> MemberView.of(found, slots)));
    }

    /**
     * The nonce of the tenure that has not ended of a slot, also where nobody holds the slot, as its holder may be cut
     * off.
     */
    public Optional<String> tenure(Scheme<?> scheme, long slot) {
        return OperatorAccess.asking(() -> nodes.record(Slot.of(scheme, slot))
                .flatMap(Znodes.Found::readable)
                .filter(found -> !found.released())
                .map(SlotRecord::nonce));
    }

    /**
     * Takes a slot away from its holder, also from one that is cut off from ZooKeeper: its lease is deleted, and its
     * record says that it was revoked, so that it does not take the slot up again. The holder fences itself as soon as
     * it hears of that, and claims another slot. The next tenure starts above what the tenure reserved. Only the tenure
     * of this nonce loses the slot; a tenure that follows keeps it.
     *
     * @param nonce names the tenure
     * @throws UnreachableException when ZooKeeper does not answer: then the slot may have been taken away all the same;
     *     or when the layout or meta cannot be read: then nothing was done
     */
    public Revocation revoke(Scheme<?> scheme, long slot, String nonce) {
        Slot revoked = Slot.of(scheme, slot);
        return OperatorAccess.asking(() -> access.repeat(revoked, () -> tryRevoke(revoked, nonce)));
    }

    /**
     * One try. A lease that was deleted and made again has the same version as before; the record, which every claim
     * writes, has another.
     */
    private OperatorAccess.Tried<Revocation> tryRevoke(Slot slot, String nonce) {
        String path = nodes.tree().lease(slot);
        nodes.store().sync(path);
        Optional<Znodes.Found<SlotRecord>> record = nodes.record(slot);
        Optional<Znodes.Found<LeaseNode>> lease = nodes.lease(slot);
        if (lease.isPresent() && !lease.get().get().nonce().equals(nonce)) {
            return OperatorAccess.Tried.nothing(Revocation.HELD_BY_ANOTHER);
        }
        List<Store.Op> writing =
                record.map(found -> revoking(slot, found, nonce)).orElse(List.of());
        if (lease.isEmpty() && writing.isEmpty()) {
            boolean last = record.flatMap(Znodes.Found::readable)
                    .filter(found -> found.nonce().equals(nonce) || found.revokes(nonce))
                    .isPresent();
            return OperatorAccess.Tried.nothing(last ? Revocation.GONE_ALREADY : Revocation.NOT_ITS_OWN);
        }
        List<Store.Op> ops = new ArrayList<>(writing);
        if (writing.isEmpty()) {
            record.ifPresent(found -> ops.add(new Store.Op.Check(found.path(), found.version())));
        }
        lease.ifPresent(found -> ops.add(new Store.Op.Delete(path, found.version())));
        return OperatorAccess.Tried.sent(nodes.store().send(Transaction.of(ops)), Revocation.DONE);
    }

    /**
     * What has the record say that the tenure was revoked, under the era as it is: a late write of before could lower a
     * ceiling. Nothing where the record is none that the tenure reserves by, or where its era has ended, under which
     * nobody goes on. Throws {@link StoreException} where the era cannot be read: the tenure could go on when somebody
     * puts it back.
     */
    private List<Store.Op> revoking(Slot slot, Znodes.Found<SlotRecord> record, String nonce) {
        Optional<SlotRecord> reserved = record.readable().filter(found -> found.isOf(nonce));
        if (reserved.isEmpty()) {
            return List.of();
        }
        Optional<Era> era = era(slot.pool());
        if (era.isEmpty()) {
            return List.of();
        }
        SlotRecord revoked =
                nodes.withBits(SlotRecord.revoked(slot.unit(), reserved.get().ceiling(), nonce)
                        .keeping(reserved.get().unknown()));
        List<Store.Op> ops = era.get().checks(nodes.tree(), slot.pool());
        ops.add(new Store.Op.Write(record.path(), Json.write(revoked), record.version()));
        return ops;
    }

    /** The era of a pool that has not ended, whatever is configured. */
    private Optional<Era> era(SlotPool pool) {
        Tree tree = nodes.tree();
        Optional<Incarnation> meta = nodes.meta()
                .map(Incarnation::of)
                .filter(found -> nodes.exists(tree.incarnation(found.node().incarnation())));
        Optional<Generation> layout = Generations.read(nodes, pool)
                .filter(found -> nodes.exists(tree.generation(pool, found.node().generation())));
        return meta.flatMap(under -> layout.map(its -> new Era(under, its)));
    }

    /**
     * Takes a slot out of the pool: nobody can claim it any more, and its holder loses it. This is for a slot whose
     * record nobody trusts, or a slot that is to be used elsewhere. {@link #unretire} puts the slot back. Where nobody
     * has used the pool yet, this makes the pool first, as a replica would.
     *
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, {@code LAYOUT_MISMATCH} or
     *     {@code ROLLED_BACK}, as a replica would say, or {@code CLOCK_SKEW} when ZooKeeper's clock is not this
     *     machine's; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or others wrote the record again and again
     *     meanwhile; the message says so where the slot may be retired all the same
     */
    public Retired retire(Scheme<?> scheme, long slot) {
        return retire(scheme, slot, holder -> true);
    }

    /**
     * The same, but refuses where the holder must not lose the slot.
     *
     * @param mayLose tells whether the holder may lose the slot; not asked where nobody holds it
     * @throws RefusedException when somebody else holds the slot; nothing was done
     */
    public Retired retire(Scheme<?> scheme, long slot, Predicate<Holder> mayLose) {
        return OperatorAccess.asking(() -> new SlotRetirement(access, Slot.of(scheme, slot)).retire(mayLose));
    }

    /**
     * Puts a retired slot back into its pool. Its next tenure begins above all that was reserved before the slot was
     * retired, and above {@code usedUntil}.
     *
     * @param usedUntil the latest time of any ID that was issued on this slot elsewhere, while it was retired;
     *     {@link Instant#EPOCH} when none was. The caller's promise: an ID from elsewhere with a later time may come
     *     again
     * @return the start of the first tick that the next tenure may issue in
     * @throws RefusedException when the slot is not retired, or no time is left; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, {@code LAYOUT_MISMATCH} or
     *     {@code ROLLED_BACK}, as a replica would say; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or others wrote the record again and again
     *     meanwhile; the message says so where the slot may be back all the same
     */
    public Instant unretire(Scheme<?> scheme, long slot, Instant usedUntil) {
        return OperatorAccess.asking(() -> new SlotRetirement(access, Slot.of(scheme, slot)).unretire(usedUntil));
    }

    /** Ends the connection if this view has one of its own. */
    @Override
    public void close() {
        closing.run();
    }
}
