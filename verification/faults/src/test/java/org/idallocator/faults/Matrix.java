package org.idallocator.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.faults.row.Blackhole;
import org.idallocator.faults.row.ClaimUnanswered;
import org.idallocator.faults.row.ClockJump;
import org.idallocator.faults.row.Crowd;
import org.idallocator.faults.row.DiskFull;
import org.idallocator.faults.row.EnsembleRestarted;
import org.idallocator.faults.row.Kill;
import org.idallocator.faults.row.LayoutChanged;
import org.idallocator.faults.row.LeaderKilled;
import org.idallocator.faults.row.LeaseDeleted;
import org.idallocator.faults.row.OldBackup;
import org.idallocator.faults.row.Pause;
import org.idallocator.faults.row.QuorumLost;
import org.idallocator.faults.row.ReleaseUnanswered;
import org.idallocator.faults.row.RenewalUnanswered;
import org.idallocator.faults.row.RollingReplicas;
import org.idallocator.faults.row.RollingZooKeepers;
import org.idallocator.faults.row.SlowDisks;
import org.idallocator.faults.row.Wiped;
import org.idallocator.faults.scene.Kind;
import org.idallocator.faults.scene.Network.Direction;
import org.idallocator.faults.scene.Plan;

/** Which rows there are, which of them the proof runs, and how long they last. */
record Matrix(Plan plan, List<Row> rows) {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);

    /** So far behind that the control's successor meets what its predecessor issued, a session and more ago. */
    private static final Duration BEHIND = Duration.ofSeconds(-8);

    private static final List<Row> ALL = Stream.concat(
                    Stream.of(
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
                                    new Wiped(),
                                    new OldBackup(),
                                    new LayoutChanged(),
                                    new DiskFull(),
                                    new RollingReplicas(),
                                    new RollingZooKeepers(),
                                    new Crowd())
                            .map(fault -> new Row(fault, Kind.SERVICE)),
                    Stream.of(
                                    new Pause(),
                                    new Blackhole(Direction.BOTH),
                                    new ClockJump("-8 s", BEHIND),
                                    new Wiped(),
                                    new OldBackup(),
                                    new LayoutChanged())
                            .map(fault -> new Row(fault, Kind.NAIVE)))
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

    private static List<String> known() {
        return ALL.stream().map(Row::name).toList();
    }
}
