package org.idallocator.bench.overload;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Connection;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Program;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;

/**
 * What the service answers while others ask for more than it can give: single IDs of the other schemes, and health
 * checks, every ten milliseconds. The clients share the machine's cores with the service, and so do the ZooKeepers.
 */
public final class Overload {
    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 6;

    /** Less than three quarters of the window, so that the replica need not stop to serve. */
    private static final int OUTAGE_SECONDS = 5;

    /** Whoever is not served so long after the attack has lost its place for ever. */
    private static final long NEVER_NANOS = 60_000_000_000L;

    private static final double MILLI_NANOS = 1e6;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final List<String> SCHEMES = List.of("sno", "muid", "eightbyte", "uid60", "gid");
    private static final List<Attack> ATTACKS = List.of(
            new Attack("unread: 1,200 on gid?count=100000000", 1_200, "/ids/gid?count=100000000", Attack.Reads.NOTHING),
            new Attack(
                    "unread until cut off: 200 on gid?count=1000000",
                    200,
                    "/ids/gid?count=1000000",
                    Attack.Reads.NOTHING_UNTIL_CUT_OFF),
            new Attack("greedy: 1,100 on uid60?count=10000", 1_100, "/ids/uid60?count=10000", Attack.Reads.ALL),
            new Attack("greedy: 3,000 on uid60?count=10000", 3_000, "/ids/uid60?count=10000", Attack.Reads.ALL),
            new Attack("batches: 1,100 on gid?count=1000", 1_100, "/ids/gid?count=1000", Attack.Reads.ALL),
            new Attack("large: 64 on gid?count=1000000", 64, "/ids/gid?count=1000000", Attack.Reads.ALL),
            new Attack(
                    "dripping: 64 on gid?count=100000000, 1 to 16 KiB a second",
                    64,
                    "/ids/gid?count=100000000",
                    Attack.Reads.DRIPPING),
            new Attack(
                    "dripping: 96 on gid?count=10000, 1 to 16 KiB a second",
                    96,
                    "/ids/gid?count=10000",
                    Attack.Reads.DRIPPING),
            new Attack("slow: 300 on eightbyte?count=600000", 300, "/ids/eightbyte?count=600000", Attack.Reads.SLOWLY),
            new Attack("reading: 1,100 without ZooKeeper", 1_100, "/ids/sno/9q7qmwq2222dhi22", Attack.Reads.ALL)
                    .withoutZooKeeper(),
            new Attack(
                    "who holds: 1,100 on different muids",
                    1_100,
                    "/ids/muid/0660C93766EDE21" + Attack.SLOT + "00001",
                    Attack.Reads.ALL),
            new Attack("heads: 2,000 half-sent of sno", 2_000, "/ids/sno", Attack.Sends.HALF_A_HEAD),
            new Attack("bodies: 1,500 half-sent to sno", 1_500, "/ids/sno", Attack.Sends.HALF_A_BODY),
            new Attack("bodies: 10,000 x 8,191 of 8,192 bytes", 10_000, "/ids/sno", Attack.Sends.MOST_OF_A_BODY),
            new Attack("connections: 8,000 that send nothing", 8_000, "/ids/sno", Attack.Sends.NOTHING),
            new Attack("chunks: 60 x 8,191 of one byte", 60, "/ids/sno", Attack.Sends.TINY_CHUNKS).silent(),
            new Attack("fields: 400 x 1,600 of five bytes", 400, "/ids/sno", Attack.Sends.TINY_FIELDS).silent(),
            new Attack("pipelined: 8 on sno", 8, "/ids/sno", Attack.Sends.AHEAD),
            new Attack("health: 1,100 on /health-check", 1_100, "/health-check", Attack.Reads.ALL),
            new Attack("admin: 1,100 on /threads", 1_100, "/threads", Attack.Sends.ONE_A_CONNECTION).ofAdmin());

    /** Each on replicas with either heap. */
    private static final List<Attack> ALL = ATTACKS.stream()
            .flatMap(attack -> Stream.of(Attack.Heap.values()).map(attack::on))
            .toList();

    /** What a process opens beside the connections of an attack: jars, and others' connections. */
    private static final int OTHER_FILES = 500;

    private Overload() {}

    public static void run(Arguments arguments) {
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Table table = new Table(
                        arguments,
                        "overload",
                        "others p50 ms",
                        "others p99 ms",
                        "health p99 ms",
                        "renewal ms",
                        "ZooKeeper a second",
                        "again ms",
                        "served",
                        "refused")) {
            for (Attack attack : arguments.chosen(ALL, Attack::name)) {
                System.err.println(attack.name());
                if (attack.clients() + OTHER_FILES > mostFiles()) {
                    table.notMeasured(attack.name(), Goals.OTHERS_P99, "ulimit -n is %,d here".formatted(mostFiles()));
                    continue;
                }
                int adminPort = Http.freePort();
                try (Ensemble ensemble = Ensemble.start(scratch);
                        Server service = Server.start(scratch, service(jar, scratch, attack, adminPort, ensemble));
                        Renewals renewals = Renewals.watch(ensemble)) {
                    int seconds = !attack.zookeeper() ? OUTAGE_SECONDS : arguments.quick() ? QUICK_SECONDS : SECONDS;
                    print(attack, measured(attack, adminPort, ensemble, service, renewals, seconds), table);
                }
            }
        }
    }

    /** How many files and connections a process may have open: the JVM raises its limit as far as it may. */
    private static long mostFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
    }

    private static Program service(Path jar, Scratch scratch, Attack attack, int adminPort, Ensemble ensemble) {
        List<String> options = new ArrayList<>(attack.heap().options());
        options.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                "-Ddw.server.adminConnectors[0].port=" + adminPort,
                "-Ddw.server.applicationConnectors[0].idleTimeout=" + attack.idleSeconds() + "s",
                "-Ddw.allocator.zookeeper.embedded.enabled=false",
                "-Ddw.allocator.zookeeper.connect=" + ensemble.connect()));
        return Programs.service(jar, scratch, options.toArray(String[]::new));
    }

    private static Measured measured(
            Attack attack, int adminPort, Ensemble ensemble, Server service, Renewals renewals, int seconds) {
        List<String> others = SCHEMES.stream()
                .filter(scheme -> !attack.isOf(scheme))
                .map(scheme -> "/ids/" + scheme)
                .toList();
        warmUp(service, others);
        int port = attack.door() == Attack.Door.ADMIN ? adminPort : service.port();
        Ensemble.Counted before = ensemble.counted();
        ensemble.pause(!attack.zookeeper());
        try (Clients clients = Clients.start(port, attack);
                Probe ids = Probe.start(service.port(), others);
                Probe health =
                        Probe.start(service.port(), List.of("/health-check?name=all", "/health-check?type=alive"))) {
            LockSupport.parkNanos(seconds * 1_000_000_000L);
            double renewal = renewals.longestMillis();
            ids.close();
            health.close();
            clients.close();
            long endedNanos = System.nanoTime();
            ensemble.pause(false);
            awaitFullService(service, attack);
            double again = (System.nanoTime() - endedNanos) / MILLI_NANOS;
            double asked = attack.zookeeper() ? ensemble.counted().requestsASecond(before) : 0;
            return new Measured(ids, health, renewal, asked, again, clients.served(), clients.refused());
        } finally {
            ensemble.pause(false);
        }
    }

    private static void warmUp(Server service, List<String> paths) {
        try (Connection connection = service.connect()) {
            for (int i = 0; i < 2_000; i++) {
                connection.get(paths.get(i % paths.size()), "text/plain").requireOk("warm-up");
            }
        }
    }

    /**
     * Returns when what was asked for by many is answered again to one, and a few IDs of each scheme; or when that is
     * too late.
     */
    private static void awaitFullService(Server service, Attack attack) {
        Set<String> paths = new LinkedHashSet<>(); // a second's uid60s may be used up: who asks twice may wait twice
        if (attack.door() == Attack.Door.APPLICATION) {
            paths.add(attack.path(0).replaceAll("=\\d+$", "=20"));
        }
        SCHEMES.forEach(scheme -> paths.add("/ids/" + scheme + "?count=20"));
        long fromNanos = System.nanoTime();
        try (Connection connection = service.connect()) {
            for (String path : paths) {
                while (connection.get(path, "*/*").status() != 200 && System.nanoTime() - fromNanos < NEVER_NANOS) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private static void print(Attack attack, Measured of, Table table) {
        Figures ids = of.ids().millis();
        double health = of.health().millis().quantile(0.99);
        double p99 = ids.quantile(0.99);
        table.figures(
                attack.name(),
                "%.1f|%.1f|%.1f|%.0f|%.0f|%.0f|%,d|%,d",
                ids.median(),
                p99,
                health,
                of.renewalMillis(),
                of.askedASecond(),
                of.againMillis(),
                of.served(),
                of.refused());
        table.judged(Goals.OTHERS_P99, p99);
        table.judged(Goals.HEALTH_P99, health);
        table.judged(
                Goals.UNANSWERED,
                Ratio.of(
                        of.ids().refused() + of.health().refused(),
                        of.ids().asked() + of.health().asked()));
        table.judged(Goals.AGAIN, of.againMillis());
        if (attack.zookeeper()) {
            table.judged(Goals.RENEWAL, of.renewalMillis());
            table.judged(Goals.ASKED, of.askedASecond());
        }
    }

    /**
     * What came of one attack.
     *
     * @param ids those who asked for single IDs of other schemes
     * @param health those who asked whether the service is well
     * @param renewalMillis the longest time between two renewals
     * @param askedASecond how often ZooKeeper was asked for anything
     * @param againMillis from the attack's end until everything was answered
     * @param served how many requests of the attack were answered to their ends
     * @param refused how many were refused
     */
    private record Measured(
            Probe ids,
            Probe health,
            double renewalMillis,
            double askedASecond,
            double againMillis,
            long served,
            long refused) {}
}
