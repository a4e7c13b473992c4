package org.idallocator.faults.report;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.faults.scene.Goal;
import org.idallocator.faults.scene.Log;
import org.jspecify.annotations.Nullable;

/**
 * How one row went.
 *
 * @param name the fault's
 * @param does what happened, in a sentence
 * @param control whether the replicas were naive, and duplicates had to be found
 * @param sessionMillis ZooKeeper's session timeout
 * @param millis how long the row took
 * @param tallies IDs and duplicates, by scheme
 * @param fencedMillis how long after the fault a holder that lost its lease still issued, by the ticks of its IDs
 * @param servedMillis how long it took to serve again
 * @param goals all but that nothing is issued twice, which is the first
 * @param notes what else was measured
 * @param marks what happened when
 * @param tracks what came from whom, over time
 * @param error why the row did not come to its end, if it did not
 */
public record Result(
        String name,
        String does,
        boolean control,
        long sessionMillis,
        long millis,
        List<Receipts.Tally> tallies,
        OptionalLong fencedMillis,
        OptionalLong servedMillis,
        List<Goal> goals,
        List<String> notes,
        List<Log.Mark> marks,
        List<Series> tracks,
        @Nullable String error) {

    /**
     * What came from one replica, or through the load balancer.
     *
     * @param idsBySlice IDs in each 100 ms
     * @param fenced when it refused, as milliseconds from and until
     * @param singles requests for one ID by how they ended
     * @param batches requests for many
     */
    public record Series(
            String name,
            List<Long> idsBySlice,
            List<Span> fenced,
            Map<String, Long> singles,
            Map<String, Long> batches) {}

    /** From and until, milliseconds after the row began. */
    public record Span(long fromMillis, long untilMillis) {}

    public long ids() {
        return tallies.stream().mapToLong(Receipts.Tally::ids).sum();
    }

    public long duplicates() {
        return tallies.stream().mapToLong(Receipts.Tally::duplicates).sum();
    }

    /** The share of requests for one ID that were served, 0..1; of none, 1. */
    public double served() {
        long all = tracks.stream()
                .flatMap(track -> track.singles().values().stream())
                .mapToLong(count -> count)
                .sum();
        long served = tracks.stream()
                .mapToLong(track -> track.singles().getOrDefault("ok", 0L))
                .sum();
        return all == 0 ? 1 : (double) served / all;
    }

    /** What was not reached, each with what was measured; empty when all is well. */
    public List<String> failures() {
        List<String> missed = goals.stream()
                .filter(goal -> !goal.met())
                .map(goal -> goal.what() + ": " + goal.measured() + ", the goal is " + goal.limit())
                .toList();
        return error == null
                ? missed
                : Stream.concat(missed.stream(), Stream.of(error)).toList();
    }
}
