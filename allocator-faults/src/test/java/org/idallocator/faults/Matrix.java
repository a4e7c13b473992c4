package org.idallocator.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.faults.row.Blackhole;
import org.idallocator.faults.row.ClaimUnanswered;
import org.idallocator.faults.row.ClockJump;
import org.idallocator.faults.row.Crowd;
import org.idallocator.faults.row.EnsembleRestarted;
import org.idallocator.faults.row.Fault;
import org.idallocator.faults.row.Kill;
import org.idallocator.faults.row.LeaderKilled;
import org.idallocator.faults.row.LeaseDeleted;
import org.idallocator.faults.row.Pause;
import org.idallocator.faults.row.QuorumLost;
import org.idallocator.faults.row.ReleaseUnanswered;
import org.idallocator.faults.row.RenewalUnanswered;
import org.idallocator.faults.row.RollingReplicas;
import org.idallocator.faults.row.RollingZooKeepers;
import org.idallocator.faults.row.SlowDisks;
import org.idallocator.faults.scene.Kind;
import org.idallocator.faults.scene.Network.Direction;
import org.idallocator.faults.scene.Plan;

/** Which rows there are: those that every build runs, and the others. */
record Matrix(Plan plan, List<Row> rows) {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);

    /** {@code short} or {@code long}; of its rows those whose names are in {@code names}, or all when that is empty. */
    static Matrix of(String name, String names) {
        Matrix whole = switch (name) {
            case "short" -> shortOne();
            case "long" -> longOne();
            default -> throw new IllegalArgumentException("faults must be short or long: " + name);
        };
        return names.isBlank() ? whole : longOne().only(whole.plan, names);
    }

    private Matrix only(Plan with, String names) {
        List<String> wanted = Arrays.stream(names.split(",")).map(String::strip).toList();
        List<String> known = rows.stream().map(Row::name).toList();
        if (!known.containsAll(wanted)) {
            throw new IllegalArgumentException("rows must be some of " + known + ": " + wanted);
        }
        return new Matrix(
                with, rows.stream().filter(row -> wanted.contains(row.name())).toList());
    }

    private static Matrix shortOne() {
        List<Fault> faults = List.of(
                new Kill(),
                new Pause(),
                new Blackhole(Direction.BOTH),
                new LeaderKilled(),
                new RenewalUnanswered(),
                new ClockJump("-1 h", HOUR.negated()),
                new RollingReplicas());
        return of(Plan.SHORT, faults);
    }

    private static Matrix longOne() {
        List<Fault> faults = List.of(
                new Kill(),
                new Pause(),
                new Blackhole(Direction.BOTH),
                new Blackhole(Direction.REQUESTS),
                new Blackhole(Direction.ANSWERS),
                new LeaderKilled(),
                new QuorumLost(),
                new EnsembleRestarted(),
                new ClaimUnanswered(),
                new RenewalUnanswered(),
                new ReleaseUnanswered(),
                new SlowDisks(),
                new LeaseDeleted(),
                new ClockJump("+5 ms", Duration.ofMillis(5)),
                new ClockJump("-5 ms", Duration.ofMillis(-5)),
                new ClockJump("+1 h", HOUR),
                new ClockJump("-1 h", HOUR.negated()),
                new ClockJump("+1 year", YEAR),
                new ClockJump("-1 year", YEAR.negated()),
                new RollingReplicas(),
                new RollingZooKeepers(),
                new Crowd());
        return of(Plan.LONG, faults);
    }

    private static Matrix of(Plan plan, List<Fault> faults) {
        List<Row> rows = new ArrayList<>();
        faults.forEach(fault -> rows.add(new Row(fault, Kind.SERVICE)));
        controls(plan).forEach(fault -> rows.add(new Row(fault, Kind.NAIVE)));
        return new Matrix(plan, List.copyOf(rows));
    }

    /** The clock of the control's successor is behind by just so much that it meets what its predecessor issued. */
    private static Stream<Fault> controls(Plan plan) {
        Duration back = plan.session().plus(Duration.ofSeconds(4)).negated();
        return Stream.of(new Pause(), new Blackhole(Direction.BOTH), new ClockJump(back.toSeconds() + " s", back));
    }

    @Override
    public String toString() {
        return plan.name() + rows.stream().map(Row::name).collect(Collectors.joining(", ", ": ", ""));
    }
}
