package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * Picks slots without a lease, those whose reserved time is past (cold slots) before others. The choice may be stale by the time of the
 * claim; the claim finds out. What is read is read together, for all schemes, so that a choice takes a few answers however many slots
 * it looks at.
 *
 * <p>A slot is picked at random, because 64 replicas that start together and all try the lowest free slot need more than ten
 * times the transactions. It is picked by index where the scheme's specification wants one: the number of an ephemeral
 * sequential node is unique and needs no retries.
 */
final class SlotChooser {
    private static final int SHUFFLED = 4_096;
    private static final int HOLDERS_NAMED = 3;

    /** So many records are read at most for each slot that is wanted, and in all. */
    private static final int READ_EACH = 64;

    private static final int READ_AT_MOST = 1_024;

    /**
     * So many are read first for each slot that is wanted: among a few slots one is nearly always cold, and 64 replicas that start read
     * few then.
     */
    private static final int READ_FIRST = 4;

    private final Znodes nodes;
    private final Clock clock;
    private final Random random;

    SlotChooser(Znodes nodes, Clock clock, Random random) {
        this.nodes = nodes;
        this.clock = clock;
        this.random = random;
    }

    /**
     * What was chosen for one scheme.
     *
     * @param slots to try to claim, at most as many as were wanted
     * @param lacking why there are fewer: {@code NO_FREE_SLOT} naming the scheme, the pool's size and holders; or {@code MALFORMED},
     *     {@code NEWER} or {@code NO_PERMISSION} where the record of a free slot cannot be read; empty where there are as many
     */
    record Choice(List<Slot> slots, Optional<ClaimResult.Refused> lacking) {}

    /** Slots to try to claim, but none of those that are {@code avoided}; {@code wanted} says how many of each scheme. */
    Map<Scheme<?>, Choice> choose(Map<Scheme<?>, Integer> wanted, Set<Slot> avoided) {
        List<Search> searches = wanted.entrySet().stream()
                .map(entry -> new Search(entry.getKey(), entry.getValue()))
                .toList();
        avoided.forEach(slot -> searches.forEach(search -> search.avoid(slot)));
        listChildren(searches);
        searches.forEach(search -> search.attempt(search::findCandidates));
        readCeilings(searches, search -> search.next(READ_FIRST * search.wanted));
        readCeilings(searches, search -> search.next(READ_EACH * search.wanted));
        searches.forEach(Search::choose);
        readHolders(searches.stream().filter(Search::isLacking).toList());
        Map<Scheme<?>, Choice> choices = new HashMap<>();
        searches.forEach(search -> choices.put(search.scheme, search.choice()));
        return choices;
    }

    /** Asks who holds slots, and which have records. Where a pool may not be read, each is asked for by itself. */
    private void listChildren(List<Search> searches) {
        if (ClaimResult.attempt(() -> listTogether(searches)).isPresent()) {
            searches.forEach(search -> search.attempt(() -> listTogether(List.of(search))));
        }
    }

    private void listTogether(List<Search> searches) {
        List<String> parents =
                searches.stream().flatMap(search -> search.parents().stream()).toList();
        Iterator<List<String>> children = nodes.store().childrenOfAll(parents).iterator();
        searches.forEach(search -> search.listed(children));
    }

    /** Reads the records that these searches want next. */
    private void readCeilings(List<Search> searches, Function<Search, List<Long>> next) {
        Map<Search, List<Long>> slots = new LinkedHashMap<>();
        List<String> paths = new ArrayList<>();
        for (Search search : searches) {
            List<Long> some = next.apply(search);
            if (!some.isEmpty()) {
                String records = nodes.tree().records(search.pool);
                slots.put(search, some);
                paths.add(records);
                paths.addAll(paths(records, some.stream().map(search.pool::nameOf)));
            }
        }
        if (paths.isEmpty()) {
            return;
        }
        Iterator<Store.Answer> answers = nodes.store().readAll(paths).iterator();
        slots.forEach((search, some) -> {
            Store.Answer records = answers.next();
            List<Store.Answer> read = some.stream().map(slot -> answers.next()).toList();
            search.attempt(() -> search.read(records, some, read));
        });
    }

    /** Reads who holds the first slots of pools that have too few. */
    private void readHolders(List<Search> lacking) {
        List<String> leases = lacking.stream()
                .flatMap(search -> search.leasesNamed().stream())
                .toList();
        if (!leases.isEmpty()) {
            Iterator<Store.Answer> answers = nodes.store().readAll(leases).iterator();
            for (Search search : lacking) {
                List<Store.Answer> its = search.leasesNamed().stream()
                        .map(lease -> answers.next())
                        .toList();
                search.attempt(() -> search.holders(its));
            }
        }
    }

    /** A search for slots of one scheme. */
    private final class Search {
        private final Scheme<?> scheme;
        private final SlotPool pool;
        private final int wanted;
        private final long now;
        private final Set<String> held = new HashSet<>();
        private final List<String> recorded = new ArrayList<>();
        private final List<Long> candidates = new ArrayList<>();
        private final Map<Long, Long> ceilings = new LinkedHashMap<>(); // of the slots that were read, in their order
        private final Set<Long> chosen = new LinkedHashSet<>();
        private final List<String> holders = new ArrayList<>(); // of the slots that are named
        private boolean recordsWereDeleted;
        private @Nullable StoreException unreadable; // the first record of a free slot that is, or may not be read
        private ClaimResult.@Nullable Refused refused;

        Search(Scheme<?> scheme, int wanted) {
            this.scheme = scheme;
            this.pool = scheme.pool().orElseThrow();
            this.wanted = wanted;
            this.now = pool.unit().tickAt(clock.micros());
        }

        /** Goes by a slot as if somebody held it. */
        void avoid(Slot slot) {
            if (slot.pool().equals(pool)) {
                held.add(slot.name());
            }
        }

        /** Does a part of the search. Where that fails for this scheme alone, the search is over. */
        void attempt(Runnable part) {
            if (refused == null) {
                refused = ClaimResult.attempt(part).orElse(null);
            }
        }

        /** Of which nodes the children are to be listed. */
        List<String> parents() {
            String leases = nodes.tree().leases(pool);
            return reuses() ? List.of(leases, nodes.tree().records(pool)) : List.of(leases);
        }

        private boolean reuses() {
            return pool.choice() == SlotPool.Choice.REUSE;
        }

        /** Takes the children of its parents. Leases of another layout's slots, which a backup may bring back, do not count. */
        void listed(Iterator<List<String>> children) {
            children.next().stream().filter(name -> Pools.isSlot(pool, name)).forEach(held::add);
            if (reuses()) {
                recorded.addAll(children.next());
            }
        }

        /** Asks for an index only where a slot is free: that is a write. */
        void findCandidates() {
            if (held.size() < pool.size()) {
                candidates.addAll(
                        switch (pool.choice()) {
                            case RANDOM -> shuffled(free(random.nextLong(pool.size())));
                            case INDEX -> drawIndexed();
                            case REUSE -> shuffled(used());
                        });
            }
        }

        /** First a slot for each of as many numbers as are wanted, which nobody else has; then the other free slots. */
        private List<Long> drawIndexed() {
            Set<Long> slots = new LinkedHashSet<>();
            long first = 0;
            for (long number : nodes.store().nextIndexes(nodes.tree().index(pool), wanted)) {
                first = number % pool.size();
                free(first).stream()
                        .filter(slot -> !slots.contains(slot))
                        .findFirst()
                        .ifPresent(slots::add);
            }
            slots.addAll(free(first));
            return List.copyOf(slots);
        }

        private List<Long> shuffled(List<Long> slots) {
            Collections.shuffle(slots, random);
            return slots;
        }

        /** Free slots from {@code first} to the last and then from 0, at most as many as one choice looks at. */
        private List<Long> free(long first) {
            return LongStream.range(first, first + pool.size())
                    .map(slot -> slot % pool.size())
                    .filter(slot -> !held.contains(pool.nameOf(slot)))
                    .limit(SHUFFLED)
                    .boxed()
                    .collect(Collectors.toCollection(ArrayList::new));
        }

        /** Free slots that were used before. */
        private List<Long> used() {
            return recorded.stream()
                    .filter(name -> !held.contains(name))
                    .flatMap(name ->
                            pool.names().slotAt(name).stream().boxed()) // somebody may have put other nodes there
                    .collect(Collectors.toCollection(ArrayList::new));
        }

        /** The next candidates to read, up to so many in all; none where enough of those that were read are cold. */
        List<Long> next(int most) {
            int from = ceilings.size();
            int to = Math.min(Math.min(most, READ_AT_MOST), candidates.size());
            return refused != null || cold().size() >= wanted || from >= to ? List.of() : candidates.subList(from, to);
        }

        void read(Store.Answer records, List<Long> slots, List<Store.Answer> answers) {
            recordsWereDeleted =
                    records.get().filter(Store.Node::childrenDeleted).isPresent();
            for (int i = 0; i < slots.size(); i++) {
                ceilings.put(slots.get(i), ceiling(slots.get(i), answers.get(i)));
            }
        }

        /**
         * The ceiling that counts. A record that cannot be read, or may not be, may reserve all of the scheme's time. Where there is
         * none and records were deleted, as nobody should, nearly the last tick counts: so a slot with a record is tried first, and no
         * more records are made that nobody can use yet, see {@link Claimer}.
         */
        private long ceiling(long slot, Store.Answer answer) {
            long last = pool.unit().maxTick();
            String path = nodes.tree().records(pool) + "/" + pool.nameOf(slot);
            Optional<Znodes.Found<SlotRecord>> found =
                    answer.node().map(node -> nodes.found(path, node, SlotRecord.class));
            Optional<StoreException> fault =
                    answer.refused().or(() -> found.flatMap(record -> Optional.ofNullable(record.fault())));
            if (fault.isPresent()) {
                unreadable = unreadable == null ? fault.get() : unreadable;
                return last;
            }
            return found.map(record -> record.get().ceiling()).orElse(recordsWereDeleted ? last - 1 : -1);
        }

        /** The slots that are cold, in the order in which they were read, as many as are wanted. */
        private List<Long> cold() {
            return ceilings.entrySet().stream()
                    .filter(slot -> slot.getValue() < now)
                    .map(Map.Entry::getKey)
                    .limit(wanted)
                    .toList();
        }

        /** The other slots, the one first that will be cold first; none whose time is all reserved. */
        private Stream<Long> notColdYet() {
            return ceilings.entrySet().stream()
                    .filter(slot -> slot.getValue() >= now
                            && slot.getValue() < pool.unit().maxTick())
                    .sorted(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey);
        }

        /** Chooses among what was read. Where there are fewer slots than are wanted, a record that cannot be read may be why. */
        void choose() {
            chosen.addAll(cold());
            if (!reuses() || recordsWereDeleted) {
                notColdYet().limit(wanted - chosen.size()).forEach(chosen::add);
            }
            long most = Math.min(wanted, pool.size() - held.size());
            while (reuses() && refused == null && chosen.size() < most) {
                chosen.add(random.nextLong(pool.size()));
            }
            if (refused == null && unreadable != null && chosen.size() < wanted) {
                refused = ClaimResult.Refused.of(unreadable);
            }
        }

        /** Whether the pool has too few slots, and nothing else is the matter. */
        boolean isLacking() {
            return refused == null && chosen.size() < wanted;
        }

        Choice choice() {
            List<Slot> slots =
                    chosen.stream().map(number -> Slot.of(scheme, number)).toList();
            Optional<ClaimResult.Refused> full =
                    isLacking() ? Optional.of(ClaimResult.Refused.of(full())) : Optional.ofNullable(refused);
            return new Choice(slots, full);
        }

        /** The leases of the slots whose holders are named where the pool has too few. */
        List<String> leasesNamed() {
            return paths(nodes.tree().leases(pool), named());
        }

        void holders(List<Store.Answer> leases) {
            List<String> paths = leasesNamed();
            for (int i = 0; i < leases.size(); i++) {
                holders.add(holder(paths.get(i), leases.get(i)));
            }
        }

        private Stream<String> named() {
            return held.stream().sorted().limit(HOLDERS_NAMED);
        }

        private String namedWithHolders() {
            Iterator<String> by = holders.iterator();
            String holding = named().map(slot -> slot + " by " + by.next()).collect(Collectors.joining(", "));
            return holding + (held.size() > HOLDERS_NAMED ? " and " + (held.size() - HOLDERS_NAMED) + " more" : "");
        }

        /** Says who holds the slots of a pool that has too few. Whatever nobody holds, and is not chosen, is retired. */
        private FencedException full() {
            List<String> parts = new ArrayList<>();
            if (!held.isEmpty()) {
                parts.add(namedWithHolders());
            }
            if (!chosen.isEmpty()) {
                parts.add(chosen.size() + (chosen.size() == 1 ? " is" : " are") + " being claimed by this replica");
            }
            if (held.size() + chosen.size() < pool.size()) {
                parts.add(parts.isEmpty() ? "all are retired" : "the others are retired");
            }
            return FencedException.of(
                    FenceReason.NO_FREE_SLOT,
                    scheme.name() + " has " + pool.size() + " slots: " + String.join("; ", parts));
        }
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
}
