package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.Parents;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.MemberNode;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This replica's own node in ZooKeeper. Each write of it tells people of the replica, and the replica of ZooKeeper's
 * time. Confined to the lease loop's thread.
 */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final Duration FIRST = Duration.ofSeconds(5);

    private final Znodes nodes;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private final Replica replica;
    private final String path;
    private @Nullable Announcement last;
    private long dueNanos;

    /**
     * That this replica is a member, as it was announced on one session.
     *
     * @param since when it was announced on that session first
     * @param nanos the monotonic instant at which it was announced last
     */
    private record Announcement(long session, Instant since, long nanos) {}

    /** {@code leaderClock} learns ZooKeeper's time from each write, and says how far {@code clock} is from it. */
    Membership(Znodes nodes, Clock clock, LeaderClock leaderClock, Replica replica) {
        this.nodes = nodes;
        this.clock = clock;
        this.leaderClock = leaderClock;
        this.replica = replica;
        this.path = nodes.tree().member(replica.instance());
    }

    /** Whether this replica was ever announced. */
    boolean hasJoined() {
        return last != null;
    }

    /** Whether this replica was announced on this session. */
    boolean isOn(long session) {
        Announcement known = last;
        return known != null && known.session() == session;
    }

    /**
     * How long another announcement may wait on the same session: where the clocks differ, it tells when ZooKeeper's
     * was put right.
     */
    long nanosUntilAnotherJoin() {
        Announcement known = last;
        return known != null && leaderClock.isOff()
                ? Math.max(0, known.nanos() + LeaseLoop.RETRY.toNanos() - clock.nanos())
                : Task.NEVER;
    }

    /** Announces this replica on this session, and learns ZooKeeper's time. */
    void join(long session, Incarnation meta) {
        Announcement known = last;
        Instant since = known != null && known.session() == session ? known.since() : clock.instant();
        boolean first = leaderClock.offset().isEmpty();
        new Parents(nodes, meta).ensure(nodes.tree().members());
        write(session, since, nodes.store().read(path), meta);
        long nanos = clock.nanos();
        last = new Announcement(session, since, nanos);
        dueNanos = nanos + (first ? FIRST : PERIOD).toNanos();
    }

    /** How long {@link #tell} may wait; 0 when it is due, and {@link Task#NEVER} before this replica was announced. */
    long nanosUntilTold() {
        return hasJoined() ? Math.max(0, dueNanos - clock.nanos()) : Task.NEVER;
    }

    /**
     * Once a minute, tells people again how far this replica's clock is from ZooKeeper's, and first some seconds after
     * joining, when that is known. That is 0.02 writes a second beside the 0.4 of renewals. The write is none of a
     * renewal's: then a member node that somebody deleted would fail the renewal of all slots. Nothing depends on this
     * write, so its failure is left to the next minute: whatever is the matter, the next step that counts meets it. A
     * clock that is off is told with each step, see {@link #nanosUntilAnotherJoin}. The answer tells ZooKeeper's time,
     * also to a replica that has no slot to renew.
     *
     * <p>A node of another session is another process's that has our name, or one of ours that the next step announces.
     */
    void tell(Incarnation meta) {
        Announcement known = Objects.requireNonNull(last);
        dueNanos = clock.nanos() + PERIOD.toNanos();
        try {
            Optional<Store.Node> told = nodes.store().read(path);
            if (told.isEmpty()) {
                new Parents(nodes, meta).ensure(nodes.tree().members()); // somebody may have emptied the root
            }
            long owner = told.isPresent()
                    ? told.get().owner()
                    : nodes.store().session().id();
            if (owner == known.session()) {
                write(owner, known.since(), told, meta);
            }
        } catch (StoreException | ChangedMeanwhileException e) {
            LOG.debug("what this replica tells of itself stays as it is for another minute", e);
        }
    }

    /**
     * Writes the node; a new one where an earlier session of this replica has left one, and where somebody has deleted
     * it.
     */
    private void write(long session, Instant since, Optional<Store.Node> told, Incarnation meta) {
        String member = Json.write(MemberNode.of(replica, session, since, leaderClock.offset()));
        Optional<Store.Node> ours = told.filter(node -> node.owner() == session);
        List<Store.Op> ops = meta.checks(nodes.tree());
        if (ours.isEmpty()) {
            told.ifPresent(node -> ops.add(Store.Op.Delete.whateverVersion(path)));
            ops.add(Store.Op.Create.ephemeral(path, member));
        }
        ops.add(new Store.Op.Write(path, member, ours.map(Store.Node::version).orElse(0)));
        long sentNanos = clock.nanos();
        Outcome.Confirmed written = nodes.store()
                .send(Transaction.of(ops))
                .confirmedOrChanged(path + " was written by somebody else meanwhile, or meta was");
        leaderClock.observe(written, sentNanos);
    }
}
