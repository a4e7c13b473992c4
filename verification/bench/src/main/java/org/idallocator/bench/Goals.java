package org.idallocator.bench;

import java.util.List;

/** What each figure is compared with, and the ratio that is wanted. */
final class Goals {
    private static final List<Ratio> ALL = List.of(
            new Ratio("Drawing.sno", "Drawing.clockAndSwap", 1.15),
            new Ratio("Drawing.sno x2", "Drawing.clockAndSwap x2", 1.0),
            new Ratio("Drawing.sno x2", "Drawing.sno", 2.0), // below, two threads together are faster than one
            new Ratio("Drawing.snoOnTicker", "Drawing.clockAndSwap", 0.35),
            new Ratio("Drawing.snoOnTicker x2", "Drawing.clockAndSwap x2", 1.0),
            new Ratio("Drawing.gid", "Drawing.randomUuid", 0.5),
            new Ratio("Drawing.gid x2", "Drawing.randomUuid x2", 0.5),
            new Ratio("Writing.sno", "Writing.uuid", 1.15),
            new Ratio("Writing.muid", "Writing.uuid", 1.15),
            new Ratio("Writing.eightbyte", "Writing.uuid", 1.15),
            new Ratio("Writing.uid60", "Writing.uuid", 1.15),
            new Ratio("Writing.gid", "Writing.uuid", 1.6),
            new Ratio("Reading.sno", "Reading.uuid", 0.7),
            new Ratio("Reading.eightbyte", "Reading.uuid", 0.7),
            new Ratio("Reading.uid60", "Reading.uuid", 0.7),
            new Ratio("Reading.muid", "Reading.uuid", 1.0),
            new Ratio("Reading.gid", "Reading.uuid", 1.6));

    private Goals() {}

    static List<Ratio> of(String figure) {
        return ALL.stream().filter(goal -> goal.figure().equals(figure)).toList();
    }

    /** Whether a benchmark is measured on two threads as well, because a goal asks for that. */
    static boolean onTwo(String benchmark) {
        String figure = benchmark + " x2";
        return ALL.stream()
                .anyMatch(goal -> goal.figure().equals(figure) || goal.of().equals(figure));
    }
}
