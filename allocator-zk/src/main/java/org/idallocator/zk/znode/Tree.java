package org.idallocator.zk.znode;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;

/**
 * Where everything lives in ZooKeeper. A payload is one JSON object, but for the root's. The parents of leases,
 * records, members and indexes are PERSISTENT and empty.
 *
 * <pre>
 * root                          the floor of the last meta, as text, for when somebody deletes meta
 * root/meta                     {@link MetaNode}: made by the first replica that finds the root empty
 * root/meta/INCARNATION         empty; what every write is conditional on, as versions of meta may come again
 * root/members/INSTANCE         {@link MemberNode}, EPHEMERAL, one per replica
 * root/POOL/layout              {@link LayoutNode}: what all replicas must agree on
 * root/POOL/layout/GENERATION   empty; what every write to the pool is conditional on
 * root/POOL/leases/SLOT         {@link LeaseNode}, EPHEMERAL: who holds the slot now
 * root/POOL/records/SLOT        {@link SlotRecord}: the highest tick reserved so far, and by which tenure
 * root/POOL/vouch               {@link Vouch}: an operator's promise that no backup has come back
 * root/POOL/index/n-NUMBER      EPHEMERAL_SEQUENTIAL and soon deleted, for pools that are chosen from by index
 * </pre>
 *
 * <p>POOL is the scheme's name; for eightbyte the cluster ID follows: {@code eightbyte/03}.
 */
public record Tree(String root) {
    private static final Map<String, TickUnit> UNITS =
            Schemes.leased(Schemes.all()).stream().collect(Collectors.toMap(Scheme::name, Scheme::unit));
    private static final String META = "meta";
    private static final String MEMBERS = "members";

    /**
     * The ticks of the scheme that a path's node belongs to; the widest where this software does not know that scheme.
     */
    TickUnit unit(String path) {
        String below = path.substring(Math.min(root.length() + 1, path.length()));
        return UNITS.getOrDefault(below.split("/", 2)[0], Bounds.WIDEST);
    }

    /** The paths between the root and a node below it, from the top. */
    public List<String> parents(String path) {
        return Pattern.compile("/")
                .matcher(path)
                .results()
                .map(slash -> path.substring(0, slash.start()))
                .filter(parent -> parent.length() > root.length())
                .toList();
    }

    /** The path of a node's child. */
    public static String child(String parent, String name) {
        return parent + "/" + name;
    }

    /** The name of a node, which is the last part of its path. */
    public static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * The path of a child that no other node ever has. {@code purpose} says in a word, for logs, what it is made for.
     */
    public static String newChild(String parent, String purpose) {
        return child(parent, purpose + "-" + UUID.randomUUID());
    }

    public String meta() {
        return child(root, META);
    }

    public String incarnation(String incarnation) {
        return child(meta(), incarnation);
    }

    public String members() {
        return child(root, MEMBERS);
    }

    public String member(String instance) {
        return child(members(), instance);
    }

    /** Whether a node of this name right below the root is a pool's, or has pools below it. */
    public static boolean leadsToPools(String name) {
        return !name.equals(META) && !name.equals(MEMBERS);
    }

    public PoolTree pool(SlotPool pool) {
        return new PoolTree(child(root, pool.path()));
    }

    public String layout(SlotPool pool) {
        return pool(pool).layout();
    }

    public String generation(SlotPool pool, String generation) {
        return pool(pool).generation(generation);
    }

    public String leases(SlotPool pool) {
        return pool(pool).leases();
    }

    public String lease(Slot slot) {
        return lease(slot.pool(), slot.name());
    }

    /** Of the slot of this name, in whatever layout. */
    public String lease(SlotPool pool, String slot) {
        return pool(pool).lease(slot);
    }

    public String records(SlotPool pool) {
        return pool(pool).records();
    }

    public String record(Slot slot) {
        return record(slot.pool(), slot.name());
    }

    /** Of the slot of this name, in whatever layout. */
    public String record(SlotPool pool, String slot) {
        return pool(pool).record(slot);
    }

    public String index(SlotPool pool) {
        return pool(pool).index();
    }
}
