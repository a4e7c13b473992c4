package org.idallocator.faults.scene;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a row notes while it runs: marks on its time line, figures, goals. Thread-safe. */
public final class Log {
    private final long startNanos;
    private final List<Mark> marks = new CopyOnWriteArrayList<>();
    private final List<Goal> goals = new CopyOnWriteArrayList<>();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private OptionalLong fencedMillis = OptionalLong.empty();
    private OptionalLong servedMillis = OptionalLong.empty();

    /** Its time starts at {@code startNanos}. */
    Log(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Something happened, so many milliseconds after the row began. */
    public record Mark(long millis, String what) {}

    public void mark(String what) {
        marks.add(new Mark((System.nanoTime() - startNanos) / 1_000_000, what));
    }

    public void atMost(String what, long limit, long measured, String unit) {
        goals.add(new Goal(what, "at most " + limit + unit, measured + unit, measured <= limit));
    }

    public void atLeast(String what, long limit, long measured, String unit) {
        goals.add(new Goal(what, "at least " + limit + unit, measured + unit, measured >= limit));
    }

    /** What must be so, and what is: the goal is that both are the same. */
    public void same(String what, String wanted, String found) {
        goals.add(new Goal(what, wanted, found, found.equals(wanted)));
    }

    /** Something measured that has no goal. */
    public void note(String note) {
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

    public List<Mark> marks() {
        return List.copyOf(marks);
    }

    public List<Goal> goals() {
        return List.copyOf(goals);
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    public synchronized OptionalLong fencedMillis() {
        return fencedMillis;
    }

    public synchronized OptionalLong servedMillis() {
        return servedMillis;
    }
}
