package org.idallocator.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.faults.row.Fault;
import org.idallocator.faults.row.Faults;
import org.idallocator.faults.scene.Kind;
import org.idallocator.faults.scene.Plan;

/** Which rows there are, which of them are short, and how long they last. */
record Matrix(Plan plan, List<Row> rows) {
    /** So far behind that the control's successor meets what its predecessor issued, a session and more ago. */
    private static final Duration BEHIND = Duration.ofSeconds(-8);

    private static final List<Row> ALL = Stream.concat(
                    Faults.ALL.stream().map(fault -> new Row(fault, Kind.SERVICE)),
                    Stream.concat(
                            Stream.of(
                                            named("pause"),
                                            named("blackhole both"),
                                            Faults.clockJump("-8 s", BEHIND),
                                            named("wiped"),
                                            named("old backup"),
                                            named("relayout"))
                                    .map(fault -> new Row(fault, Kind.NAIVE)),
                            Stream.of(new Row(named("released while away"), Kind.STUBBORN))))
            .toList();

    private static final List<String> SHORT = List.of(
            "kill",
            "pause",
            "blackhole both",
            "leader killed",
            "renewal unanswered",
            "wiped",
            "old backup",
            "clock -1 h",
            "rolling replicas",
            "control pause",
            "control blackhole both",
            "control clock -8 s",
            "control wiped");

    /**
     * {@code short} or {@code long}; instead of their rows those whose names are in {@code names}, unless that is
     * empty.
     */
    static Matrix of(String name, String names) {
        Plan plan = Stream.of(Plan.SHORT, Plan.LONG)
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("faults must be short or long: " + name));
        List<String> own = plan.equals(Plan.SHORT) ? SHORT : known();
        List<String> wanted = names.isBlank()
                ? own
                : Arrays.stream(names.split(",")).map(String::strip).toList();
        if (!known().containsAll(wanted)) {
            throw new IllegalArgumentException("rows must be some of " + known() + ": " + wanted);
        }
        return new Matrix(
                plan, ALL.stream().filter(row -> wanted.contains(row.name())).toList());
    }

    private static Fault named(String name) {
        return Faults.ALL.stream()
                .filter(fault -> fault.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> known() {
        return ALL.stream().map(Row::name).toList();
    }
}
