package org.idallocator.bench;

import java.util.List;

/** What each figure is compared with, and the ratio that is wanted. */
final class Goals {
    static final List<Ratio> ALL = List.of(
            new Ratio("Drawing.sno", "Drawing.clockAndSwap", 1.15),
            new Ratio("Drawing.snoOnTicker", "Drawing.clockAndSwap", 0.35),
            new Ratio("Drawing.gid", "Drawing.randomUuid", 0.5),
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

    /** The goals of two threads, of which each draws as fast as this. */
    static final List<Ratio> OF_TWO = List.of(
            new Ratio("Drawing.sno", "Drawing.clockAndSwap", 1.0), new Ratio("Drawing.gid", "Drawing.randomUuid", 0.5));

    private Goals() {}
}
