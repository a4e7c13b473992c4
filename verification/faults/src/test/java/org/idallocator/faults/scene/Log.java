package org.idallocator.faults.scene;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What a row notes while it runs: marks on its time line, figures, goals. Thread-safe. */
public final class Log {
    private final long startNanos;
    private final List<Mark> marks = new ArrayList<>();
    private final List<Goal> goals = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private OptionalLong fencedMillis = OptionalLong.empty();
    private OptionalLong servedMillis = OptionalLong.empty();

    /** Its time starts at {@code startNanos}. */
    Log(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Something happened, so many milliseconds after the row began. */
    public record Mark(long millis, String what) {}

    public synchronized void mark(String what) {
        marks.add(new Mark((System.nanoTime() - startNanos) / 1_000_000, what));
    }

    public synchronized void goal(Goal goal) {
        goals.add(goal);
    }

    public void atMost(String what, long limit, long measured, String unit) {
        goal(Goal.atMost(what, limit, measured, unit));
    }

    public void atLeast(String what, long limit, long measured, String unit) {
        goal(Goal.atLeast(what, limit, measured, unit));
    }

    /** Something measured that has no goal. */
    public synchronized void note(String note) {
        notes.add(note);
    }

    /** How long the holder still issued after the fault; the longest counts. */
    public synchronized void fenced(long millis) {
        fencedMillis = OptionalLong.of(Math.max(millis, fencedMillis.orElse(0)));
    }

    /** How long it took until it served again; the longest counts. */
    public synchronized void served(long millis) {
        servedMillis = OptionalLong.of(Math.max(millis, servedMillis.orElse(0)));
    }

    public synchronized List<Mark> marks() {
        return List.copyOf(marks);
    }

    public synchronized List<Goal> goals() {
        return List.copyOf(goals);
    }

    public synchronized List<String> notes() {
        return List.copyOf(notes);
    }

    public synchronized OptionalLong fencedMillis() {
        return fencedMillis;
    }

    public synchronized OptionalLong servedMillis() {
        return servedMillis;
    }
}
