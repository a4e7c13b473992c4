package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * Picks a slot without a lease, one whose reserved time is past (a cold slot) before one that is not. The choice may be stale
 * by the time of the claim; the claim finds out.
 *
 * <p>A slot is picked at random, because 64 replicas that start together and all try the lowest free slot need more than ten
 * times the transactions. It is picked by index where the scheme's specification wants one: the number of an ephemeral
 * sequential node is unique and needs no retries.
 */
record SlotChooser(Znodes nodes, Clock clock, Random random) {
    private static final int SHUFFLED = 4_096;
    private static final int RECORDS_READ = 64;
    private static final int HOLDERS_NAMED = 3;

    /**
     * A slot to try to claim.
     *
     * @throws FencedException {@code NO_FREE_SLOT} naming the scheme, the pool's size and holders
     * @throws StoreException {@code MALFORMED}, {@code NEWER} or {@code NO_PERMISSION} when no slot is free, and the record of one
     *     cannot be read
     */
    Slot choose(Scheme<?> scheme) {
        SlotPool pool = scheme.pool().orElseThrow();
        Set<String> held = new Pools(nodes).held(pool);
        OptionalLong chosen = held.size() < pool.size() ? chosen(pool, held) : OptionalLong.empty();
        return Slot.of(scheme, chosen.orElseThrow(() -> full(scheme.name(), pool, held)));
    }

    private OptionalLong chosen(SlotPool pool, Set<String> held) {
        return switch (pool.choice()) {
            case RANDOM -> coldest(pool, anyFree(pool, held));
            case INDEX -> {
                long index = nodes.store().nextIndex(nodes.tree().index(pool));
                yield coldest(pool, free(pool, held, index % pool.size()));
            }
            case REUSE -> OptionalLong.of(reused(pool, held).orElseGet(() -> random.nextLong(pool.size())));
        };
    }

    /**
     * The ceiling that counts for a slot without a record. Where records were deleted, it is nearly the last tick: so a slot
     * with a record is tried first, and no more records are made that nobody can use yet, see {@link Claimer}.
     */
    private long ceilingWithoutRecord(SlotPool pool) {
        return nodes.recordsDeleted(pool) ? pool.unit().maxTick() - 1 : -1;
    }

    /** Free slots in random order; of a large pool, some that follow a random one. */
    private List<Long> anyFree(SlotPool pool, Set<String> held) {
        List<Long> some = free(pool, held, random.nextLong(pool.size()));
        Collections.shuffle(some, random);
        return some;
    }

    /** Free slots from {@code first} to the last and then from 0, at most as many as one choice looks at. */
    private static List<Long> free(SlotPool pool, Set<String> held, long first) {
        return LongStream.range(first, first + pool.size())
                .map(slot -> slot % pool.size())
                .filter(slot -> !held.contains(pool.nameOf(slot)))
                .limit(SHUFFLED)
                .boxed()
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The first of these slots that is cold, or else the one that will be first; never one whose time is all reserved. */
    private OptionalLong coldest(SlotPool pool, List<Long> slots) {
        long now = pool.unit().tickAt(clock.micros());
        OptionalLong best = OptionalLong.empty();
        long bestCeiling = pool.unit().maxTick();
        long unrecorded = ceilingWithoutRecord(pool);
        for (long slot : slots.subList(0, Math.min(RECORDS_READ, slots.size()))) {
            long ceiling = ceiling(pool, slot, unrecorded);
            if (ceiling < now) {
                return OptionalLong.of(slot);
            }
            if (ceiling < bestCeiling) {
                best = OptionalLong.of(slot);
                bestCeiling = ceiling;
            }
        }
        return best;
    }

    /** A record that cannot be read, or may not be, may reserve all of the scheme's time. Other slots are claimed meanwhile. */
    private long ceiling(SlotPool pool, long slot, long unrecorded) {
        try {
            return record(pool, slot)
                    .map(found -> found.readable()
                            .map(SlotRecord::ceiling)
                            .orElse(pool.unit().maxTick()))
                    .orElse(unrecorded);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            return pool.unit().maxTick();
        }
    }

    private Optional<Znodes.Found<SlotRecord>> record(SlotPool pool, long slot) {
        return nodes.find(nodes.tree().records(pool) + "/" + pool.nameOf(slot), SlotRecord.class);
    }

    /** A free and cold slot that was used before; where records were deleted, also one that is not cold yet. */
    private OptionalLong reused(SlotPool pool, Set<String> held) {
        List<Long> used = nodes.store().children(nodes.tree().records(pool)).stream()
                .filter(name -> !held.contains(name))
                .flatMap(name -> pool.names().slotAt(name).stream().boxed()) // somebody may have put other nodes there
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(used, random);
        long now = pool.unit().tickAt(clock.micros());
        OptionalLong best = coldest(pool, used);
        boolean cold = best.isPresent() && ceiling(pool, best.getAsLong(), -1) < now;
        return cold || ceilingWithoutRecord(pool) >= 0 ? best : OptionalLong.empty();
    }

    private FencedException full(String scheme, SlotPool pool, Set<String> held) {
        // where a record cannot be read, that is what an operator has to put right
        free(pool, held, 0).stream()
                .limit(RECORDS_READ)
                .forEach(slot -> record(pool, slot).ifPresent(Znodes.Found::get));
        String holders = held.stream()
                .sorted()
                .limit(HOLDERS_NAMED)
                .map(name -> name + " by " + holder(nodes.tree().leases(pool) + "/" + name))
                .collect(Collectors.joining(", "));
        String more = held.size() > HOLDERS_NAMED ? " and " + (held.size() - HOLDERS_NAMED) + " more" : "";
        String others = held.size() < pool.size() ? "; the others are retired" : "";
        String who = held.isEmpty() ? "all are retired" : holders + more + others;
        return FencedException.of(FenceReason.NO_FREE_SLOT, scheme + " has " + pool.size() + " slots: " + who);
    }

    private String holder(String lease) {
        Optional<Znodes.Found<LeaseNode>> found;
        try {
            found = nodes.find(lease, LeaseNode.class);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            return "a holder whose lease may not be read";
        }
        StoreException fault = found.map(Znodes.Found::fault).orElse(null);
        if (fault != null && fault.kind() == StoreException.Kind.NEWER) {
            return "a replica of a later version";
        }
        return found.map(held -> held.get().instance()).orElse("a holder that has just left");
    }

    /** How long to wait before another try: at random from half of {@code base} to one and a half, so that replicas spread. */
    Duration jittered(Duration base) {
        return base.multipliedBy(50 + random.nextInt(100)).dividedBy(100);
    }
}
