package org.idallocator.faults.ids;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Counts the keys in sorted files, and how many of them equal another that was counted before: exactly, in one pass, with one
 * run of each file in memory.
 */
final class Census {
    private static final int EXAMPLES = 5;

    private final List<Run> examples = new ArrayList<>();
    private long total;
    private long duplicates;
    private long coveredHigh;
    private long coveredLast;

    private Census() {}

    static Census of(List<Path> files) {
        List<RunFile> open = new ArrayList<>();
        try {
            files.forEach(file -> open.add(new RunFile(file)));
            Census census = new Census();
            census.merge(open);
            return census;
        } finally {
            open.forEach(RunFile::close);
        }
    }

    /** The next run of a file that has one. */
    private record Head(Run run, RunFile file) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            return run.compareTo(other.run);
        }
    }

    private void merge(List<RunFile> files) {
        PriorityQueue<Head> heads = new PriorityQueue<>();
        files.forEach(file -> push(heads, file));
        for (Optional<Head> head = Optional.ofNullable(heads.poll());
                head.isPresent();
                head = Optional.ofNullable(heads.poll())) {
            count(head.get().run());
            push(heads, head.get().file());
        }
    }

    private static void push(PriorityQueue<Head> heads, RunFile file) {
        file.next().ifPresent(run -> heads.add(new Head(run, file)));
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
