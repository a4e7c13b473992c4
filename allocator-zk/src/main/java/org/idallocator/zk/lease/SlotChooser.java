package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * Picks a slot without a lease, one whose reserved time is past (a cold slot) before one that is not. The choice may be stale
 * by the time of the claim; the claim finds out. What is read for one choice is read together, so that a choice takes a few answers
 * however many slots it looks at.
 *
 * <p>A slot is picked at random, because 64 replicas that start together and all try the lowest free slot need more than ten
 * times the transactions. It is picked by index where the scheme's specification wants one: the number of an ephemeral
 * sequential node is unique and needs no retries.
 */
final class SlotChooser {
    private static final int SHUFFLED = 4_096;
    private static final int RECORDS_READ = 64;

    /** So many records are read first: among a few slots one is nearly always cold, and 64 replicas that start read few then. */
    private static final int READ_FIRST = 4;

    private static final int HOLDERS_NAMED = 3;

    private final Znodes nodes;
    private final Clock clock;
    private final Random random;

    SlotChooser(Znodes nodes, Clock clock, Random random) {
        this.nodes = nodes;
        this.clock = clock;
        this.random = random;
    }

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
        Ceilings ceilings = read(pool, slots);
        return ceilings.cold().isPresent() ? ceilings.cold() : ceilings.nextCold();
    }

    /** The ceilings of the first of these slots, up to one that is cold, or of as many as one choice looks at. */
    private Ceilings read(SlotPool pool, List<Long> slots) {
        List<Long> some = slots.subList(0, Math.min(RECORDS_READ, slots.size()));
        int first = Math.min(READ_FIRST, some.size());
        Ceilings ceilings = new Ceilings(pool);
        ceilings.read(some.subList(0, first));
        if (ceilings.cold().isEmpty()) {
            ceilings.read(some.subList(first, some.size()));
        }
        return ceilings;
    }

    /** A free and cold slot that was used before; where records were deleted, also one that is not cold yet. */
    private OptionalLong reused(SlotPool pool, Set<String> held) {
        List<Long> used = nodes.store().children(nodes.tree().records(pool)).stream()
                .filter(name -> !held.contains(name))
                .flatMap(name -> pool.names().slotAt(name).stream().boxed()) // somebody may have put other nodes there
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(used, random);
        Ceilings ceilings = read(pool, used);
        return ceilings.cold().isPresent() || !ceilings.recordsWereDeleted() ? ceilings.cold() : ceilings.nextCold();
    }

    private FencedException full(String scheme, SlotPool pool, Set<String> held) {
        // where a record cannot be read, that is what an operator has to put right
        List<String> free = paths(
                nodes.tree().records(pool),
                free(pool, held, 0).stream().limit(RECORDS_READ).map(pool::nameOf));
        List<Store.Answer> records = nodes.store().readAll(free);
        for (int i = 0; i < free.size(); i++) {
            String path = free.get(i);
            records.get(i).get().ifPresent(node -> {
                var unused = nodes.found(path, node, SlotRecord.class).get();
            });
        }
        String holders = held.isEmpty() ? "all are retired" : holders(pool, held);
        return FencedException.of(FenceReason.NO_FREE_SLOT, scheme + " has " + pool.size() + " slots: " + holders);
    }

    private String holders(SlotPool pool, Set<String> held) {
        List<String> named = held.stream().sorted().limit(HOLDERS_NAMED).toList();
        List<String> leases = paths(nodes.tree().leases(pool), named.stream());
        List<Store.Answer> answers = nodes.store().readAll(leases);
        String holders = IntStream.range(0, named.size())
                .mapToObj(i -> named.get(i) + " by " + holder(leases.get(i), answers.get(i)))
                .collect(Collectors.joining(", "));
        String more = held.size() > HOLDERS_NAMED ? " and " + (held.size() - HOLDERS_NAMED) + " more" : "";
        return holders + more + (held.size() < pool.size() ? "; the others are retired" : "");
    }

    private static List<String> paths(String parent, Stream<String> names) {
        return names.map(name -> parent + "/" + name).toList();
    }

    private String holder(String lease, Store.Answer answer) {
        if (answer.refused().isPresent()) {
            return "a holder whose lease may not be read";
        }
        Optional<Znodes.Found<LeaseNode>> found = answer.node().map(node -> nodes.found(lease, node, LeaseNode.class));
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

    /** How far some slots of a pool are reserved, in the order in which they were read. */
    private final class Ceilings {
        private final SlotPool pool;
        private final long now;
        private final Map<Long, Long> ceilings = new LinkedHashMap<>();
        private boolean recordsWereDeleted;

        Ceilings(SlotPool pool) {
            this.pool = pool;
            this.now = pool.unit().tickAt(clock.micros());
        }

        void read(List<Long> slots) {
            if (slots.isEmpty()) {
                return;
            }
            String records = nodes.tree().records(pool);
            List<String> paths = new ArrayList<>(List.of(records));
            paths.addAll(SlotChooser.paths(records, slots.stream().map(pool::nameOf)));
            List<Store.Answer> answers = nodes.store().readAll(paths);
            recordsWereDeleted =
                    answers.get(0).get().filter(Store.Node::childrenDeleted).isPresent();
            for (int i = 0; i < slots.size(); i++) {
                ceilings.put(slots.get(i), ceiling(paths.get(i + 1), answers.get(i + 1)));
            }
        }

        /**
         * The ceiling that counts. A record that cannot be read, or may not be, may reserve all of the scheme's time. Where there is
         * none and records were deleted, nearly the last tick counts: so a slot with a record is tried first, and no more records
         * are made that nobody can use yet, see {@link Claimer}.
         */
        private long ceiling(String path, Store.Answer answer) {
            long last = pool.unit().maxTick();
            if (answer.refused().isPresent()) {
                return last;
            }
            return answer.node()
                    .map(node -> nodes.found(path, node, SlotRecord.class)
                            .readable()
                            .map(SlotRecord::ceiling)
                            .orElse(last))
                    .orElse(recordsWereDeleted ? last - 1 : -1);
        }

        /** Whether somebody deleted records of the pool, as nobody should: a slot without a record may then have been used. */
        boolean recordsWereDeleted() {
            return recordsWereDeleted;
        }

        /** The first slot that is cold. */
        OptionalLong cold() {
            return ceilings.entrySet().stream()
                    .filter(slot -> slot.getValue() < now)
                    .mapToLong(Map.Entry::getKey)
                    .findFirst();
        }

        /** The slot that will be cold first; never one whose time is all reserved. */
        OptionalLong nextCold() {
            return ceilings.entrySet().stream()
                    .filter(slot -> slot.getValue() < pool.unit().maxTick())
                    .min(Map.Entry.comparingByValue())
                    .stream()
                    .mapToLong(Map.Entry::getKey)
                    .findFirst();
        }
    }
}
