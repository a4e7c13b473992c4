package org.idallocator.dropwizard.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.dropwizard.api.PublicProperties;
import org.idallocator.dropwizard.api.SchemeState;
import org.idallocator.dropwizard.metrics.IdMetrics.Drawn;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.Outage;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.settings.Replica;
import org.jspecify.annotations.Nullable;

/**
 * What the console shows. Empty and null values are left out. The public reads only the listed properties.
 *
 * @param at when this state was read, by the replica's clock
 * @param leaving whether the replica serves its last callers before a drain
 * @param ready whether load balancers should send requests to the replica
 * @param replica the replica that answers; for operators
 * @param outage since when ZooKeeper has not answered the replica, and until when IDs can still be issued
 * @param application where the console of the application port is, on the admin port; empty on the application port
 *     itself
 * @param schemes the schemes that are served
 * @param busy how many requests of the application port each limit has refused since the start, by the name of the
 *     limit; null where nothing is drawn over HTTP
 * @param cluster what ZooKeeper showed
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@PublicProperties({"at", "leaving", "ready", "outage", "schemes", "busy", "cluster"})
record ConsoleState(
        Instant at,
        boolean leaving,
        boolean ready,
        Replica replica,
        Optional<Outage> outage,
        Optional<ApplicationPort> application,
        List<SchemeView> schemes,
        @Nullable Map<String, Long> busy,
        Cluster cluster) {

    /**
     * A scheme on this replica.
     *
     * @param leased whether it needs slots
     * @param windowMillis how far ahead time is reserved, where it needs slots
     * @param state whether it serves
     * @param detail the reason why it is fenced, in words
     * @param least how many slots there are to be at least
     * @param serving how many slots serve
     * @param lacking why fewer serve than there are to be at least, in words
     * @param held the slots that this replica holds
     * @param drawn what was drawn over HTTP since the start; null where nothing is drawn over HTTP
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @PublicProperties({
        "name",
        "leased",
        "windowMillis",
        "state",
        "reason",
        "detail",
        "least",
        "serving",
        "lacking",
        "held",
        "drawn"
    })
    record SchemeView(
            String name,
            boolean leased,
            Optional<Long> windowMillis,
            SchemeState state,
            Optional<String> reason,
            Optional<String> detail,
            Optional<Integer> least,
            Optional<Integer> serving,
            Optional<String> lacking,
            List<HeldSlot> held,
            @JsonUnwrapped @Nullable Drawn drawn) {}

    /**
     * What ZooKeeper showed of pools and replicas.
     *
     * @param look the name of this look at ZooKeeper; empty before the first. A browser that names it in {@code seen}
     *     is not sent pools and replicas again
     * @param ageMillis how long ago that look was
     * @param failure why there is no newer look; empty when ZooKeeper answered the latest question
     * @param pools the pools; empty where the browser has them already
     * @param members the replicas whose sessions live; empty where the browser has them already
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @PublicProperties({"look", "ageMillis", "failure", "pools", "members"})
    record Cluster(
            Optional<String> look,
            Optional<Long> ageMillis,
            Optional<String> failure,
            Optional<List<Pool>> pools,
            Optional<List<MemberView>> members) {}

    /**
     * A pool.
     *
     * @param names the name of each slot; none where the pool is too large to be drawn slot by slot
     * @param slots those that are not free, as far as there is room
     */
    @PublicProperties({"counts", "names", "slots"})
    record Pool(PoolView.Counts counts, List<String> names, List<LeaseView> slots) {}
}
