package org.idallocator.zk.znode;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;

/**
 * Where everything lives in ZooKeeper. A payload is one JSON object, but for the root's. The parents of leases, records,
 * members and indexes are PERSISTENT and empty.
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
 * root/POOL/index/n-NUMBER      EPHEMERAL_SEQUENTIAL and soon deleted, for pools that are chosen from by index
 * </pre>
 *
 * <p>POOL is the scheme's name; for eightbyte the cluster ID follows: {@code eightbyte/03}.
 */
public record Tree(String root) {
    private static final Map<String, TickUnit> UNITS =
            Schemes.leased(Schemes.all()).stream().collect(Collectors.toMap(Scheme::name, Scheme::unit));
    private static final TickUnit WIDEST = new TickUnit(0, 1, 62);

    /** The ticks of the scheme that a path's node belongs to; the widest where this software does not know that scheme. */
    TickUnit unit(String path) {
        String below = path.substring(Math.min(root.length() + 1, path.length()));
        return UNITS.getOrDefault(below.split("/", 2)[0], WIDEST);
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

    public String meta() {
        return root + "/meta";
    }

    public String incarnation(String incarnation) {
        return meta() + "/" + incarnation;
    }

    public String members() {
        return root + "/members";
    }

    public String member(String instance) {
        return members() + "/" + instance;
    }

    public String pool(SlotPool pool) {
        return root + "/" + pool.path();
    }

    public String layout(SlotPool pool) {
        return pool(pool) + "/layout";
    }

    public String generation(SlotPool pool, String generation) {
        return layout(pool) + "/" + generation;
    }

    public String leases(SlotPool pool) {
        return pool(pool) + "/leases";
    }

    public String lease(Slot slot) {
        return lease(slot.pool(), slot.name());
    }

    /** The lease of a slot that has this name. */
    public String lease(SlotPool pool, String name) {
        return leases(pool) + "/" + name;
    }

    public String records(SlotPool pool) {
        return pool(pool) + "/records";
    }

    public String record(Slot slot) {
        return records(slot.pool()) + "/" + slot.name();
    }

    public String index(SlotPool pool) {
        return pool(pool) + "/index";
    }
}
