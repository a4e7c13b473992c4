package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.zk.epoch.Parents;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.MemberNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces this replica in ZooKeeper, and learns ZooKeeper's time from that. Confined to the lease loop's thread.
 */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final Duration FIRST = Duration.ofSeconds(5);

    private final Nodes nodes;
    private final TenureRules rules;
    private final Replica replica;
    private final Parents parents;
    private long joinedSession;
    private Instant since = Instant.EPOCH;
    private long dueNanos;

    Membership(Nodes nodes, TenureRules rules, Replica replica) {
        this.nodes = nodes;
        this.rules = rules;
        this.replica = replica;
        this.parents = new Parents(nodes);
    }

    /** Whether this replica was ever announced. */
    boolean everJoined() {
        return joinedSession != 0;
    }

    /**
     * Whether nothing has to be announced: the replica was announced on this session, and the clocks agree. Where they differ,
     * another announcement tells when ZooKeeper's clock was put right.
     */
    boolean joined(long session) {
        return session == joinedSession && !rules.judge().off();
    }

    /** Announces this replica on this session, and learns ZooKeeper's time. */
    void join(long session, Root.Seen meta) {
        if (session != joinedSession) {
            since = Instant.EPOCH.plus(rules.clock().micros(), ChronoUnit.MICROS);
        }
        Optional<Duration> offset = rules.judge().offset();
        announce(session, meta, offset);
        joinedSession = session;
        dueNanos = rules.clock().nanos() + (offset.isEmpty() ? FIRST : PERIOD).toNanos();
    }

    private void announce(long session, Root.Seen meta, Optional<Duration> offset) {
        parents.ensure(nodes.tree().members(), meta);
        String path = nodes.tree().member(replica.instance());
        String member = Json.write(MemberNode.of(replica, session, since, offset));
        long sentNanos = rules.clock().nanos();
        List<Store.Op> ops = new ArrayList<>(meta.checks(nodes.tree()));
        if (nodes.exists(path)) {
            ops.add(new Store.Op.Delete(path, -1)); // written on an earlier session of this replica, or on this one
        }
        ops.add(new Store.Op.Create(path, member, true));
        ops.add(new Store.Op.Write(path, member, 0));
        rules.judge().observe(nodes.store().multi(ops).get(0), sentNanos);
    }

    /**
     * Once a minute, tells people again how far this replica's clock is from ZooKeeper's, and first some seconds after joining,
     * when that is known. That is 0.02 writes a second beside the 0.4 of renewals. The write is none of a renewal's: then a
     * member node that somebody deleted would fail the renewal of all slots. Nothing depends on this write, so its failure is
     * left to the next minute: whatever is the matter, the next step that counts meets it. A clock that is off is told with
     * each step, see {@link #joined}. The answer tells ZooKeeper's time, also to a replica that has no slot to renew.
     */
    void tellIfDue(Root.Seen meta) {
        if (!everJoined() || rules.clock().nanos() - dueNanos < 0) {
            return;
        }
        dueNanos = rules.clock().nanos() + PERIOD.toNanos();
        try {
            tell(meta);
        } catch (StoreException e) {
            LOG.debug("what this replica tells of itself stays as it is for another minute", e);
        }
    }

    /** A node of another session is another process's that has our name, or one of ours that the next step announces. */
    private void tell(Root.Seen meta) {
        String path = nodes.tree().member(replica.instance());
        Optional<Store.Node> told = nodes.store().read(path);
        if (told.isEmpty()) {
            if (nodes.store().session() == joinedSession) {
                announce(joinedSession, meta, rules.judge().offset()); // somebody deleted it
            }
        } else if (told.get().owner() == joinedSession) {
            List<Store.Op> ops = new ArrayList<>(meta.checks(nodes.tree()));
            String member = Json.write(
                    MemberNode.of(replica, joinedSession, since, rules.judge().offset()));
            ops.add(new Store.Op.Write(path, member, told.get().version()));
            long sentNanos = rules.clock().nanos();
            rules.judge().observe(nodes.store().multi(ops).get(0), sentNanos);
        }
    }

    /** Takes the announcement back, if it is still this session's. */
    void leave() {
        String path = nodes.tree().member(replica.instance());
        Store store = nodes.store();
        if (store.read(path).filter(node -> node.owner() == joinedSession).isPresent()) {
            store.multi(List.of(new Store.Op.Delete(path, -1)));
        }
    }
}
