package org.idallocator.faults.ids;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;

/** All IDs that clients were given, by scheme: each client has a {@link Receipt} of its own. Thread-safe. */
public final class Receipts {
    private final Map<String, List<Receipt<?>>> byScheme = new TreeMap<>();

    /** What the IDs of a scheme came to. */
    public record Tally(String scheme, long ids, long duplicates, List<String> examples) {}

    /** One more client's, of one scheme; {@code listener} hears of the time that the last ID of each run carries, in microseconds. */
    public synchronized <T extends Id> Receipt<T> open(Scheme<T> scheme, LongConsumer listener) {
        Receipt<T> receipt = new Receipt<>(scheme, listener);
        byScheme.computeIfAbsent(scheme.name(), name -> new ArrayList<>()).add(receipt);
        return receipt;
    }

    /** Compares all of them; when no client adds any more. */
    public synchronized List<Tally> tally() {
        List<Tally> tallies = new ArrayList<>();
        byScheme.forEach((scheme, receipts) -> tallies.add(tally(scheme, receipts)));
        return tallies;
    }

    private static Tally tally(String scheme, List<Receipt<?>> receipts) {
        Census census = Census.of(receipts.stream().flatMap(r -> r.runs().stream()));
        Key back = receipts.get(0).key().back();
        List<String> examples = census.examples().stream()
                .map(run -> "%016x%016x x %d"
                        .formatted(back.high(run.high(), run.low()), back.low(run.high(), run.low()), run.count()))
                .toList();
        return new Tally(scheme, census.total(), census.duplicates(), examples);
    }
}
