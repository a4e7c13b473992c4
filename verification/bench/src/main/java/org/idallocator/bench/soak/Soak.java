package org.idallocator.bench.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Pause;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Cluster;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Vitals;

/**
 * The cluster of {@code docker-compose.yml} under load for half an hour, in which one replica is replaced every minute.
 * Callers ask its load balancer for single IDs, at 80 % of what came before as fast as answers come. No request may
 * fail, and no ID may come twice. One replica stays all the time, and nothing that it takes may grow: medians of the
 * last third are compared with those of the first third.
 */
public final class Soak {
    private static final double PART = 0.8;
    private static final int MINUTES = 30;
    private static final int MOST_MINUTES = 24 * 60;
    private static final int QUICK_TIMES = 3;

    private final Cluster cluster;
    private final Table table;
    private final boolean quick;
    private final List<Vitals> taken = new ArrayList<>();

    private Soak(Cluster cluster, Table table, boolean quick) {
        this.cluster = cluster;
        this.table = table;
        this.quick = quick;
    }

    public static void run(Arguments arguments) {
        boolean quick = arguments.quick();
        int times = arguments.number("minutes", MOST_MINUTES, quick ? QUICK_TIMES : MINUTES);
        try (Scratch scratch = new Scratch();
                Cluster cluster = Cluster.start(scratch);
                Table table =
                        new Table(arguments, "the replica that stays", "heap", "resident", "threads", "sockets")) {
            new Soak(cluster, table, quick).measure(times);
        }
    }

    private void measure(int times) {
        Deque<String> others = new ArrayDeque<>(cluster.replicas());
        String stays = others.remove();
        long pid = cluster.pid(stays);
        Callers callers = new Callers(cluster.port());
        double most = most(callers);
        System.err.printf("%,.0f a second at most; %.0f %% of that, %d replacements%n", most, 100 * PART, times);
        try (Callers.Run run = callers.at(PART * most)) {
            for (int i = 0; i < times; i++) {
                long fromNanos = System.nanoTime();
                replace(stays, others);
                Pause.of((quick ? Duration.ofSeconds(5) : Duration.ofMinutes(1))
                        .minusNanos(System.nanoTime() - fromNanos));
                taken.add(cluster.vitals(stays, pid));
            }
            tell(most, run.end(), callers.seenAndTwice());
        }
    }

    /** How many answers a second come as fast as possible, once everything is compiled. */
    private double most(Callers callers) {
        double unused = rate(callers);
        return rate(callers);
    }

    private double rate(Callers callers) {
        try (Callers.Run run = callers.asFastAsPossible()) {
            Pause.of(Duration.ofSeconds(quick ? 2 : 20));
            return run.end().perSecond();
        }
    }

    /** A new replica is healthy before the oldest one is told to stop. */
    private void replace(String stays, Deque<String> others) {
        cluster.add();
        cluster.replicas().stream()
                .filter(each -> !each.equals(stays) && !others.contains(each))
                .forEach(others::add);
        cluster.remove(others.remove());
    }

    private void tell(double most, Callers.Asked asked, long[] seenAndTwice) {
        Vitals.Growth growth = Vitals.growth(taken);
        Vitals grown = growth.grown();
        row("first third", growth.first());
        row("last third", growth.last());
        row("growth", grown);
        table.judged(Goals.HEAP, grown.heap());
        table.judged(Goals.RESIDENT, grown.resident());
        table.judged(Goals.THREADS, grown.threads());
        table.judged(Goals.SOCKETS, grown.sockets());
        String came = "%,d IDs at %,.0f of %,.0f a second, p99 %.1f ms, %d failed"
                .formatted(seenAndTwice[0], asked.perSecond(), most, asked.p99Millis(), asked.failed());
        table.row(came, "", "", "", "");
        table.judged(Goals.TWICE, Ratio.of(seenAndTwice[1], seenAndTwice[0]));
        table.judged(Goals.UNSERVED, Ratio.of(asked.failed(), asked.asked()));
    }

    private void row(String name, Vitals of) {
        table.figures(name, "%.1f|%.1f|%.0f|%.0f", of.heap(), of.resident(), of.threads(), of.sockets());
    }
}
