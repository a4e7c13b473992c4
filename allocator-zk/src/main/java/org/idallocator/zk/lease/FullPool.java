package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Znodes;

/** A pool that has fewer slots than a replica wants. It says who holds them, and names the first few holders. */
final class FullPool {
    private static final int HOLDERS_NAMED = 3;

    private final Znodes nodes;
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final Set<String> held;
    private final List<String> named; // those of the held slots whose holders are named
    private final int chosen;

    /**
     * The pool of a scheme.
     *
     * @param held the names of its slots that somebody holds
     * @param chosen how many of its slots this replica is about to claim
     */
    FullPool(Znodes nodes, Scheme<?> scheme, Set<String> held, int chosen) {
        this.nodes = nodes;
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.held = Set.copyOf(held);
        this.named = held.stream().sorted().limit(HOLDERS_NAMED).toList();
        this.chosen = chosen;
    }

    /** The leases that say whom to name. */
    List<String> leases() {
        return named.stream().map(slot -> nodes.tree().lease(pool, slot)).toList();
    }

    /**
     * Why no further slot can be claimed. Whatever nobody holds, and is not chosen, is retired.
     *
     * @param leases what was read of {@link #leases()}, in their order
     * @throws StoreException {@code MALFORMED} where one of them holds something else than a lease
     */
    FencedException refusal(List<Store.Answer> leases) {
        List<String> parts = new ArrayList<>();
        if (!held.isEmpty()) {
            parts.add(holders(leases));
        }
        if (chosen > 0) {
            parts.add(chosen + (chosen == 1 ? " is" : " are") + " being claimed by this replica");
        }
        if (held.size() + chosen < pool.size()) {
            parts.add(parts.isEmpty() ? "all are retired" : "the others are retired");
        }
        return FencedException.of(
                FenceReason.NO_FREE_SLOT,
                scheme.name() + " has " + pool.size() + " slots: " + String.join("; ", parts));
    }

    private String holders(List<Store.Answer> leases) {
        List<String> holders = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            holders.add(named.get(i) + " by " + holder(named.get(i), leases.get(i)));
        }
        int others = held.size() - named.size();
        return String.join(", ", holders) + (others > 0 ? " and " + others + " more" : "");
    }

    private String holder(String slot, Store.Answer lease) {
        if (lease.forbidden().isPresent()) {
            return "a holder whose lease may not be read";
        }
        Optional<Znodes.Found<LeaseNode>> found =
                lease.readable().map(node -> nodes.found(nodes.tree().lease(pool, slot), node, LeaseNode.class));
        Optional<StoreException> fault = found.flatMap(Znodes.Found::fault);
        if (fault.filter(why -> why.kind() == StoreException.Kind.NEWER).isPresent()) {
            return "a replica of a later version";
        }
        return found.map(held -> held.get().instance()).orElse("a holder that has just left");
    }
}
