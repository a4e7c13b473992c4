package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.MissingRecords;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * One search for slots of one scheme. It says what has to be read, which {@link SlotChooser} reads for all searches
 * together, and chooses by that: cold slots before others.
 *
 * <p>A slot is picked at random, because 64 replicas that start together and all try the lowest free slot need more
 * than ten times the transactions. It is picked by index where the scheme's specification wants one: the number of an
 * ephemeral sequential node is unique and needs no retries.
 */
final class SlotSearch {
    /** So many free slots are put in a random order at most. */
    private static final int SHUFFLED = 4_096;

    /**
     * So many records are read first for each slot that is wanted: among a few slots one is nearly always cold, and 64
     * replicas that start read few then.
     */
    private static final int READ_FIRST = 4;

    /** So many are read at most for each slot that is wanted, and in all. */
    private static final int READ_EACH = 64;

    private static final int READ_AT_MOST = 1_024;

    private final Znodes nodes;
    private final Random random;
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final int wanted;
    private final long now;
    private final Set<String> held = new HashSet<>();
    private final List<String> recorded = new ArrayList<>();
    private final List<Slot> candidates = new ArrayList<>();
    private int read; // so many of the candidates, from the first on
    private final List<Slot> cold = new ArrayList<>(); // of those that were read, in their order
    private final Map<Slot, Long> cooling = new LinkedHashMap<>(); // with their ceilings
    private final List<Slot> lost = new ArrayList<>(); // their records may have been deleted
    private final Set<Slot> chosen = new LinkedHashSet<>();
    private boolean recordsWereDeleted;
    private @Nullable StoreException unreadable; // the first record of a free slot that is, or may not be read
    private ClaimResult.@Nullable Refused refused;

    /**
     * A search that has not begun.
     *
     * @param scheme one with slots
     * @param wanted how many slots are wanted
     * @param micros now: slots whose reserved time is past by then are cold
     */
    SlotSearch(Znodes nodes, Random random, Scheme<?> scheme, int wanted, long micros) {
        this.nodes = nodes;
        this.random = random;
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.wanted = wanted;
        this.now = pool.unit().tickAt(micros);
    }

    Scheme<?> scheme() {
        return scheme;
    }

    /** Passes over a slot as if somebody held it. */
    void avoid(Slot slot) {
        if (slot.pool().equals(pool)) {
            held.add(slot.name());
        }
    }

    /** Does a part of the search. Where that fails for this scheme alone, the search is over. */
    void attempt(Runnable part) {
        if (refused == null) {
            ClaimResult.attempt(part).ifPresent(why -> refused = why);
        }
    }

    /** The nodes whose children tell which slots are free, and which were used. */
    List<String> parents() {
        String leases = nodes.tree().leases(pool);
        return reuses() ? List.of(leases, nodes.tree().records(pool)) : List.of(leases);
    }

    private boolean reuses() {
        return pool.choice() == SlotPool.Choice.REUSE;
    }

    /**
     * Learns the children of each of its {@link #parents}. Leases of another layout's slots, which a backup may bring
     * back, do not count.
     */
    void learnChildren(List<List<String>> children) {
        children.get(0).stream().filter(name -> Pools.isSlot(pool, name)).forEach(held::add);
        if (reuses()) {
            recorded.addAll(children.get(1));
        }
    }

    /** Takes an index for each slot that is wanted only where a slot is free: that is a write. */
    void takeCandidates() {
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
    private List<Slot> drawIndexed() {
        Set<Slot> slots = new LinkedHashSet<>();
        long first = 0;
        for (long number : nodes.store().takeIndexes(nodes.tree().index(pool), wanted)) {
            first = number % pool.size();
            free(first).stream()
                    .filter(slot -> !slots.contains(slot))
                    .findFirst()
                    .ifPresent(slots::add);
        }
        slots.addAll(free(first));
        return List.copyOf(slots);
    }

    private List<Slot> shuffled(List<Slot> slots) {
        Collections.shuffle(slots, random);
        return slots;
    }

    /** Free slots from {@code first} to the last and then from 0, at most as many as one choice looks at. */
    private List<Slot> free(long first) {
        return LongStream.range(first, first + pool.size())
                .mapToObj(number -> slot(number % pool.size()))
                .filter(slot -> !held.contains(slot.name()))
                .limit(SHUFFLED)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Free slots that were used before. Somebody may have put other nodes beside their records. */
    private List<Slot> used() {
        return recorded.stream()
                .filter(name -> !held.contains(name))
                .flatMap(name -> pool.names().slotAt(name).stream().mapToObj(this::slot))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private Slot slot(long number) {
        return new Slot(scheme, pool, number);
    }

    /** What is to be read first: the records of some candidates, and before them their parent. */
    List<String> firstToRead() {
        return toRead(READ_FIRST * wanted);
    }

    /** What is to be read then: more records alike; nothing where enough of the first slots are cold. */
    List<String> othersToRead() {
        return toRead(READ_EACH * wanted);
    }

    /** The parent and records of the first {@code most} candidates but those that were read. */
    private List<String> toRead(int most) {
        int to = Math.min(Math.min(most, READ_AT_MOST), candidates.size());
        if (refused != null || cold.size() >= wanted || read >= to) {
            return List.of();
        }
        Stream<String> records = candidates.subList(read, to).stream().map(nodes.tree()::record);
        return Stream.concat(Stream.of(nodes.tree().records(pool)), records).toList();
    }

    /** Learns how far the next candidates are reserved, from the answers to what was to be read. */
    void learnRecords(List<Store.Answer> answers) {
        if (answers.isEmpty()) {
            return;
        }
        recordsWereDeleted = MissingRecords.mayHaveBeenUsed(answers.get(0).get());
        for (Store.Answer record : answers.subList(1, answers.size())) {
            sortIn(candidates.get(read), record);
            read++;
        }
    }

    /**
     * Sorts a free slot in by its record. One whose record cannot be read, or may not be, is of no use, and neither is
     * a used up one.
     */
    private void sortIn(Slot slot, Store.Answer answer) {
        Optional<Znodes.Found<SlotRecord>> record =
                answer.readable().map(node -> nodes.found(nodes.tree().record(slot), node, SlotRecord.class));
        Optional<StoreException> fault = answer.forbidden().or(() -> record.flatMap(Znodes.Found::fault));
        if (fault.isPresent()) {
            if (unreadable == null) {
                unreadable = fault.get();
            }
        } else if (record.isPresent()) {
            sortIn(slot, record.get().get());
        } else if (recordsWereDeleted) {
            lost.add(slot);
        } else {
            cold.add(slot);
        }
    }

    private void sortIn(Slot slot, SlotRecord record) {
        if (record.ceiling() < now) {
            cold.add(slot);
        } else if (!record.isUsedUp(slot.unit())) {
            cooling.put(slot, record.ceiling());
        }
    }

    /**
     * Chooses among what was read: cold slots, in the order in which they were read, then the one that will be cold
     * first. Where records were deleted, as nobody should, slots without one come last: a record would be made of each,
     * and nobody could use it for a while, see {@link SlotRecords}. Where there are fewer slots than are wanted, a
     * record that cannot be read may be why.
     */
    void choose() {
        Stream<Slot> others = !reuses() || recordsWereDeleted ? notColdYet() : Stream.empty();
        Stream.concat(cold.stream(), others).limit(wanted).forEach(chosen::add);
        long most = Math.min(wanted, pool.size() - held.size());
        while (reuses() && refused == null && chosen.size() < most) {
            chosen.add(slot(random.nextLong(pool.size())));
        }
        if (refused == null && unreadable != null && chosen.size() < wanted) {
            refused = ClaimResult.Refused.of(unreadable);
        }
    }

    private Stream<Slot> notColdYet() {
        Stream<Slot> byCeiling =
                cooling.entrySet().stream().sorted(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
        return Stream.concat(byCeiling, lost.stream());
    }

    /** Whether the pool has too few slots, and nothing else is the matter. */
    boolean isLacking() {
        return refused == null && chosen.size() < wanted;
    }

    /** The leases that say who holds the slots of a pool that has too few. */
    List<String> leasesToName() {
        return fullPool().leases();
    }

    /** Says that the pool has too few slots, and who holds them, from the answers to {@link #leasesToName}. */
    void refuseAsFull(List<Store.Answer> leases) {
        refused = ClaimResult.Refused.of(fullPool().refusal(leases));
    }

    private FullPool fullPool() {
        return new FullPool(nodes, scheme, held, chosen.size());
    }

    SlotChooser.Choice choice() {
        return new SlotChooser.Choice(List.copyOf(chosen), Optional.ofNullable(refused));
    }
}
