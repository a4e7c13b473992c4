package org.idallocator.zk.lease;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.zk.epoch.Parents;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.MemberNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.Store;

/**
 * Announces this replica in ZooKeeper, and learns ZooKeeper's time from that. Confined to the lease loop's thread.
 */
final class Membership {
    private final Nodes nodes;
    private final TenureRules rules;
    private final Replica replica;
    private final Parents parents;
    private long joinedSession;

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
        parents.ensure(nodes.tree().members(), meta);
        long sentNanos = rules.clock().nanos();
        rules.judge().observe(announce(session, meta), sentNanos);
        joinedSession = session;
    }

    private Store.Written announce(long session, Root.Seen meta) {
        String path = nodes.tree().member(replica.instance());
        String member = Json.write(new MemberNode(
                MemberNode.VERSION,
                replica.instance(),
                replica.host(),
                replica.pid(),
                replica.url(),
                "0x" + Long.toHexString(session),
                Instant.EPOCH.plus(rules.clock().micros(), ChronoUnit.MICROS)));
        List<Store.Op> ops = new ArrayList<>(meta.checks(nodes.tree()));
        if (nodes.exists(path)) {
            ops.add(new Store.Op.Delete(path, -1)); // written on an earlier session of this replica, or on this one
        }
        ops.add(new Store.Op.Create(path, member, true));
        ops.add(new Store.Op.Write(path, member, 0));
        return nodes.store().multi(ops).get(0);
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
