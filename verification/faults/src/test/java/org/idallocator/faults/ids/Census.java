package org.idallocator.faults.ids;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Counts the keys of runs, and how many of them equal another that was counted before: exactly, in one pass. */
final class Census {
    private static final int EXAMPLES = 5;

    private final List<Run> examples = new ArrayList<>();
    private long total;
    private long duplicates;
    private long coveredHigh;
    private long coveredLast;

    private Census() {}

    static Census of(Stream<Run> runs) {
        Census census = new Census();
        runs.sorted().forEachOrdered(census::count);
        return census;
    }

    /** In the order of first keys, a run repeats what lies up to the farthest key that an earlier one reached. */
    private void count(Run run) {
        boolean sameHigh = total > 0 && run.high() == coveredHigh;
        if (sameHigh && Long.compareUnsigned(run.low(), coveredLast) <= 0) {
            repeated(run);
        }
        total += run.count();
        if (!sameHigh || Long.compareUnsigned(run.last(), coveredLast) > 0) {
            coveredHigh = run.high();
            coveredLast = run.last();
        }
    }

    private void repeated(Run run) {
        long last = Long.compareUnsigned(run.last(), coveredLast) < 0 ? run.last() : coveredLast;
        long count = last - run.low() + 1;
        duplicates += count;
        if (examples.size() < EXAMPLES) {
            examples.add(new Run(run.high(), run.low(), count));
        }
    }

    /** How many keys there are, equal ones counted each. */
    long total() {
        return total;
    }

    /** How many of them equal an earlier one. */
    long duplicates() {
        return duplicates;
    }

    /** Some of those. */
    List<Run> examples() {
        return List.copyOf(examples);
    }
}
