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
    private static final int EXAMPLES = 5;

    private final Map<String, List<Receipt<?>>> byScheme = new TreeMap<>();

    /** What the IDs of a scheme came to. */
    public record Tally(String scheme, long ids, long duplicates, List<String> examples) {}

    /**
     * One more client's, of one scheme; {@code listener} hears of the time that the last ID of each run carries, in
     * microseconds.
     */
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

    /** In the order of first keys, a run repeats what lies up to the farthest key that an earlier one reached. */
    private static Tally tally(String scheme, List<Receipt<?>> receipts) {
        Key back = receipts.get(0).key().back();
        List<String> examples = new ArrayList<>();
        long ids = 0;
        long duplicates = 0;
        Run farthest = null;
        for (Run run :
                receipts.stream().flatMap(r -> r.runs().stream()).sorted().toList()) {
            ids += run.count();
            long repeated = farthest == null ? 0 : run.repeats(farthest);
            duplicates += repeated;
            if (repeated > 0 && examples.size() < EXAMPLES) {
                long high = back.high(run.high(), run.low());
                examples.add("%016x%016x x %d".formatted(high, back.low(run.high(), run.low()), repeated));
            }
            if (farthest == null || run.reachesBeyond(farthest)) {
                farthest = run;
            }
        }
        return new Tally(scheme, ids, duplicates, examples);
    }
}
