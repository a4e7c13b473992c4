package org.idallocator.faults;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.faults.scene.Goal;
import org.idallocator.faults.scene.Log;

/**
 * How one row went.
 *
 * @param name the row's
 * @param does what happened, in a sentence
 * @param control whether the replicas were naive, and duplicates had to be found
 * @param sessionMillis ZooKeeper's session timeout
 * @param millis how long the row took
 * @param tallies IDs and duplicates, by scheme
 * @param fencedMillis how long after the fault a holder that lost its lease still issued, by the ticks of its IDs
 * @param servedMillis how long it took to serve again
 * @param goals that nothing is issued twice, which is the first, and all others
 * @param notes what else was measured
 * @param marks what happened when
 * @param singles requests for one ID by how they ended
 * @param batches requests for many
 */
record Result(
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
        Map<String, Long> singles,
        Map<String, Long> batches) {

    long ids() {
        return tallies.stream().mapToLong(Receipts.Tally::ids).sum();
    }

    long duplicates() {
        return tallies.stream().mapToLong(Receipts.Tally::duplicates).sum();
    }

    /** What was not reached, each with what was measured; empty when all is well. */
    List<String> failures() {
        return goals.stream()
                .filter(goal -> !goal.met())
                .map(goal -> goal.what() + ": " + goal.measured() + ", the goal is " + goal.limit())
                .toList();
    }
}
