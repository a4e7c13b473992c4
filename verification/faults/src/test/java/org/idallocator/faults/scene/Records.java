package org.idallocator.faults.scene;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.zk.testing.ZooKeepers;

/** Looks at slots in ZooKeeper with a client of its own, and deletes nodes by hand. */
public final class Records implements AutoCloseable {
    private static final String ROOT = "/id-allocator/";
    private static final List<String> POOLS = List.of("sno", "muid", "eightbyte/00", "uid60");
    private static final int SESSION_MILLIS = 20_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String connect;
    private ZooKeeper client;

    Records(ZooKeepers zookeepers) {
        connect = zookeepers.connectString();
        client = open();
    }

    private ZooKeeper open() {
        try {
            return new ZooKeeper(connect, SESSION_MILLIS, event -> {});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Looks with another client from now on: ZooKeeper lost what it had acknowledged, so that one that has seen more
     * would not be served, or it was away for longer than the session of this one.
     */
    public void forget() {
        close();
        client = open();
    }

    /** The instance that holds each slot of a scheme now, by the slot's name. */
    public Map<String, String> holders(String scheme) {
        Map<String, String> holders = new TreeMap<>();
        children(scheme + "/leases")
                .forEach((slot, lease) ->
                        holders.put(slot, lease.path("instance").asText()));
        return holders;
    }

    /** The tenure that holds each slot of any scheme now, by scheme and slot. */
    public Map<String, String> tenures() {
        Map<String, String> tenures = new TreeMap<>();
        POOLS.forEach(pool -> children(pool + "/leases")
                .forEach((slot, lease) ->
                        tenures.put(pool + " " + slot, lease.path("nonce").asText())));
        return tenures;
    }

    /** The latest time up to which any slot of a scheme is reserved. */
    public Instant reservedThrough(String scheme) {
        return children(scheme + "/records").values().stream()
                .map(record -> Instant.parse(record.path("reservedThrough").asText()))
                .reduce(Instant.EPOCH, (a, b) -> a.isAfter(b) ? a : b);
    }

    /** The latest time up to which anything is reserved. */
    public Instant reservedThrough() {
        return POOLS.stream()
                .map(this::reservedThrough)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** How far ahead of now that is. */
    public Duration reservedAhead(String scheme) {
        return Duration.of(ChronoUnit.MICROS.between(Instant.now(), reservedThrough(scheme)), ChronoUnit.MICROS);
    }

    /** Deletes a lease behind its holder's back. */
    public void deleteLease(String scheme, String slot) {
        assertDoesNotThrow(() -> client.delete(ROOT + scheme + "/leases/" + slot, -1));
    }

    /** Deletes all that is below the root, as {@code deleteall} does of each; the root stays. */
    public void deleteAll() {
        String root = ROOT.substring(0, ROOT.length() - 1);
        for (String name : names(root)) {
            assertDoesNotThrow(() -> ZKUtil.deleteRecursive(client, ROOT + name));
        }
    }

    private Map<String, JsonNode> children(String parent) {
        Map<String, JsonNode> children = new TreeMap<>();
        for (String name : names(ROOT + parent)) {
            read(ROOT + parent + "/" + name).ifPresent(node -> children.put(name, node));
        }
        return children;
    }

    /** None where the control has no such parent. */
    private List<String> names(String parent) {
        return answer(() -> client.getChildren(parent, false)).orElse(List.of());
    }

    /** Empty where the node is gone since. */
    private Optional<JsonNode> read(String path) {
        return answer(() -> JSON.readTree(client.getData(path, false, null)));
    }

    /**
     * Asks again where the connection is lost, as ZooKeepers are stopped and started here; empty where there is no such
     * node.
     */
    private static <T> Optional<T> answer(Callable<T> question) {
        return await("ZooKeeper answers")
                .ignoreException(ConnectionLossException.class)
                .until(
                        () -> {
                            try {
                                return Optional.of(question.call());
                            } catch (NoNodeException e) {
                                return Optional.empty();
                            }
                        },
                        answered -> true);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
