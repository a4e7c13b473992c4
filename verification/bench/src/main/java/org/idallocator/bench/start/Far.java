package org.idallocator.bench.start;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goal;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.DelayLine;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;

/**
 * How long the service takes until it serves all schemes, from a ZooKeeper on the same machine whose root exists, and
 * from the same when its answers take long; and how many answers the service waits for, one after the other, from its
 * first connection to the first answer of its own.
 */
final class Far {
    private static final Duration FAR = Duration.ofMillis(120);
    private static final int ROUNDS = 5;
    private static final int QUICK = 1;

    private final Scratch scratch;
    private final int rounds;
    private final Table table;

    Far(Scratch scratch, boolean quick, Table table) {
        this.scratch = scratch;
        this.rounds = quick ? QUICK : ROUNDS;
        this.table = table;
    }

    void measure() {
        try (Ensemble ensemble = Ensemble.start(scratch)) {
            int near = ensemble.port();
            var unused = millis(near, 1, () -> {}); // makes the root, and waits for its floor
            compare("one slot each", 1, near, Goals.FAR);
            compare("four slots each", 4, near, Goals.FAR_FOUR);
        }
    }

    private void compare(String name, int leases, int near, Goal goal) {
        List<Double> nearMillis = new ArrayList<>();
        List<Double> farMillis = new ArrayList<>();
        List<Double> answers = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            System.err.println("ZooKeeper far away, " + name + ", round " + round + " of " + rounds);
            nearMillis.add(millis(near, leases, () -> {}));
            try (DelayLine line = DelayLine.to(near, FAR)) {
                farMillis.add(millis(line.port(), leases, () -> answers.add((double) line.turns())));
            }
        }
        Start.row(table, "all schemes, " + name, new Figures(nearMillis));
        Start.row(table, "all schemes, " + name + ", far away", new Figures(farMillis));
        table.judged(goal, Ratio.of(new Figures(farMillis).median(), goal.amount()));
        Start.row(table, "  answers waited for", new Figures(answers));
    }

    private double millis(int zookeeper, int leases, Runnable serves) {
        List<String> options = new ArrayList<>(List.of(
                "-Ddw.allocator.zookeeper.embedded.enabled=false",
                "-Ddw.allocator.zookeeper.connect=127.0.0.1:" + zookeeper));
        Stream.of("sno", "muid", "eightbyte", "uid60")
                .forEach(scheme -> options.add("-Ddw.allocator.schemes." + scheme + ".leases=" + leases));
        try (Server server =
                Server.start(scratch, Programs.service(Programs.SERVICE, scratch, options.toArray(String[]::new)))) {
            serves.run();
            return server.millisToAnswer();
        }
    }
}
