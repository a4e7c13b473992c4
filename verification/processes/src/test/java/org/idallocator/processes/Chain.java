package org.idallocator.processes;

import java.util.List;
import java.util.function.Function;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * IDs that are passed along: each is drawn at the next of some replicas, for who has seen the last one. Not
 * thread-safe.
 */
final class Chain<T extends Id> implements AutoCloseable {
    private final List<KeptConnection> replicas;
    private final String path;
    private final Function<String, T> parse;
    private String seen;
    private int turn;

    /** A chain whose first ID is of the first of these replicas. */
    Chain(Scheme<T> scheme, List<ReplicaProcess> replicas) {
        this.replicas = replicas.stream().map(KeptConnection::new).toList();
        path = "/ids/" + scheme.name();
        parse = scheme.type().parse();
        seen = next(path);
    }

    private String next(String pathAndQuery) {
        return replicas.get(turn++ % replicas.size()).line(pathAndQuery);
    }

    /** Draws an ID after the last one; whether it sorts after. */
    boolean hopAfter() {
        return hop(path + "?after=" + seen);
    }

    /** Draws an ID as those do who have seen none; whether it sorts after the last one all the same. */
    boolean hopAnyhow() {
        return hop(path);
    }

    private boolean hop(String pathAndQuery) {
        String drawn = next(pathAndQuery);
        boolean ordered = sortsAfter(parse.apply(drawn), parse.apply(seen));
        seen = drawn;
        return ordered;
    }

    private static boolean sortsAfter(Id later, Id seen) {
        int high = Long.compareUnsigned(later.high(), seen.high());
        return high > 0 || (high == 0 && Long.compareUnsigned(later.low(), seen.low()) > 0);
    }

    @Override
    public void close() {
        replicas.forEach(KeptConnection::close);
    }

    /** The path, and the ID that came last. */
    @Override
    public String toString() {
        return path + " " + seen;
    }
}
