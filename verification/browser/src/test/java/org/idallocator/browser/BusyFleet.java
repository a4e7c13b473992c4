package org.idallocator.browser;

import java.util.List;
import java.util.Map;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * Three replicas that are well, with four schemes, under a load. They have a root of their own of the ZooKeeper of
 * {@link Fleet}.
 */
final class BusyFleet implements AutoCloseable {
    static final List<String> SCHEMES = List.of("sno", "muid", "eightbyte", "uid60");
    static final List<String> NAMES = List.of("ids-1", "ids-2", "ids-3");

    /** Far below what the replicas bear, also on a small machine. */
    private static final Map<String, Integer> PER_SECOND =
            Map.of("sno", 15_000, "muid", 4_000, "eightbyte", 2_500, "uid60", 300);

    private static final String SETTINGS = """
            zookeeper: {connect: '%s', root: /busy}
            tellWhereabouts: true
            schemes:
              sno: {partitions: 16}
              muid: {}
              eightbyte: {}
              uid60: {}
            """;

    private final List<ReplicaProcess> replicas;
    private final Load load;

    private BusyFleet(List<ReplicaProcess> replicas, Load load) {
        this.replicas = replicas;
        this.load = load;
    }

    /** Starts the replicas, waits until all are ready, which on a new root takes some 16 s, and begins to draw. */
    static BusyFleet start() {
        String settings = SETTINGS.formatted(Fleet.zooKeeper());
        List<ReplicaProcess> replicas =
                NAMES.stream().map(name -> Fleet.start("busy", name, settings)).toList();
        replicas.forEach(ReplicaProcess::awaitReady);
        return new BusyFleet(replicas, Load.start(replicas, PER_SECOND));
    }

    /** The replica whose console is looked at. */
    ReplicaProcess replica() {
        return replicas.get(1);
    }

    @Override
    public void close() {
        load.close();
        replicas.forEach(ReplicaProcess::close);
    }
}
