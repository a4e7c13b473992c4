package org.idallocator.zk.lease;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Znodes;

/**
 * Picks slots without a lease, by a {@link SlotSearch} for each scheme. The choice may be stale by the time of the
 * claim; the claim finds out. What is read is read together, for all schemes, so that a choice takes a few answers
 * however many slots it looks at.
 */
final class SlotChooser {
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
     * @param lacking why there are fewer: {@code NO_FREE_SLOT} naming the scheme, the pool's size and holders; or
     *     {@code MALFORMED}, {@code NEWER} or {@code NO_PERMISSION} where the record of a free slot cannot be read;
     *     empty where there are as many
     */
    record Choice(List<Slot> slots, Optional<ClaimResult.Refused> lacking) {}

    /**
     * Slots to try to claim, but none of those that are {@code avoided}; {@code wanted} says how many of each scheme.
     */
    Map<Scheme<?>, Choice> choose(Map<Scheme<?>, Integer> wanted, Set<Slot> avoided) {
        List<SlotSearch> searches = wanted.entrySet().stream()
                .map(entry -> new SlotSearch(nodes, random, entry.getKey(), entry.getValue(), clock.micros()))
                .toList();
        searches.forEach(search -> avoided.forEach(search::avoid));
        listChildren(searches);
        searches.forEach(search -> search.attempt(search::takeCandidates));
        readTogether(searches, SlotSearch::firstToRead, SlotSearch::learnRecords);
        readTogether(searches, SlotSearch::othersToRead, SlotSearch::learnRecords);
        searches.forEach(SlotSearch::choose);
        List<SlotSearch> lacking =
                searches.stream().filter(SlotSearch::isLacking).toList();
        readTogether(lacking, SlotSearch::leasesToName, SlotSearch::refuseAsFull);
        Map<Scheme<?>, Choice> choices = new HashMap<>();
        searches.forEach(search -> choices.put(search.scheme(), search.choice()));
        return choices;
    }

    /** Asks who holds slots, and which have records. Where a pool may not be read, each is asked for by itself. */
    private void listChildren(List<SlotSearch> searches) {
        if (ClaimResult.attempt(() -> listTogether(searches)).isPresent()) {
            searches.forEach(search -> search.attempt(() -> listTogether(List.of(search))));
        }
    }

    private void listTogether(List<SlotSearch> searches) {
        List<String> parents =
                searches.stream().flatMap(search -> search.parents().stream()).toList();
        Iterator<List<String>> children = nodes.store().childrenOfAll(parents).iterator();
        searches.forEach(search -> search.learnChildren(
                search.parents().stream().map(parent -> children.next()).toList()));
    }

    /**
     * Reads what each of these searches wants, all in one answer, and lets each learn its part. Asks nothing where none
     * wants anything.
     */
    private void readTogether(
            List<SlotSearch> searches,
            Function<SlotSearch, List<String>> wanted,
            BiConsumer<SlotSearch, List<Store.Answer>> learn) {
        Map<SlotSearch, List<String>> paths = new LinkedHashMap<>();
        searches.forEach(search -> paths.put(search, wanted.apply(search)));
        List<String> all = paths.values().stream().flatMap(List::stream).toList();
        List<Store.Answer> read = all.isEmpty() ? List.of() : nodes.store().readAll(all);
        Iterator<Store.Answer> answers = read.iterator();
        paths.forEach((search, its) -> {
            List<Store.Answer> itsAnswers =
                    its.stream().map(path -> answers.next()).toList();
            search.attempt(() -> learn.accept(search, itsAnswers));
        });
    }
}
