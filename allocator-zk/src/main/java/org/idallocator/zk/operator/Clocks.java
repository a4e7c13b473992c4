package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.node.MemberNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this machine's clock with that of ZooKeeper's leader. Where they differ, the replicas on other machines tell which is
 * wrong: each says how far its own clock is from the leader's.
 *
 * @param judge has asked ZooKeeper for its time
 * @param allowed how far two clocks may be apart
 * @param host the name of this machine, whose replicas go by the same clock and tell nothing
 */
record Clocks(Nodes nodes, ClockJudge judge, Duration allowed, String host) {
    private static final Logger LOG = LoggerFactory.getLogger(Clocks.class);
    private static final String NAME = "clock";

    void look(Checklist list) {
        try {
            judge.requireMicros();
            list.ok(
                    NAME,
                    Math.abs(judge.skewMicros()) / 1_000 + " ms from ZooKeeper's, allowed are " + allowed.toMillis()
                            + " ms");
        } catch (FencedException e) {
            LOG.debug("a replica would not serve", e);
            long here = judge.offset().orElse(Duration.ZERO).toMillis();
            Suspicion suspicion = Suspicion.of(here, others(), allowed.toMillis());
            list.fail(NAME, e.getMessage() + "; " + suspicion.words(), e.reason(), suspicion.remedy());
        }
    }

    /** How far the clocks of other machines are ahead of the leader's, by their hosts. */
    private Map<String, Long> others() {
        Map<String, Long> offsets = new TreeMap<>();
        List<String> members = nodes.store().children(nodes.tree().members()).stream()
                .map(nodes.tree()::member)
                .toList();
        for (Optional<Store.Node> read : nodes.store().readAll(members)) {
            read.flatMap(node -> nodes.found(nodes.tree().members(), node, MemberNode.class)
                            .readable())
                    .filter(member -> !member.host().equals(host))
                    .ifPresent(member -> {
                        Long offset = member.clockOffsetMillis();
                        if (offset != null) {
                            offsets.put(member.host(), offset);
                        }
                    });
        }
        return offsets;
    }

    /**
     * Whose clock is wrong, as far as other machines tell.
     *
     * @param asHere how many have the time of this machine
     * @param asLeader how many have the leader's
     * @param all how many tell
     */
    private record Suspicion(long asHere, long asLeader, int all) {

        static Suspicion of(long here, Map<String, Long> others, long allowed) {
            return new Suspicion(
                    others.values().stream()
                            .filter(offset -> Math.abs(offset - here) <= allowed)
                            .count(),
                    others.values().stream()
                            .filter(offset -> Math.abs(offset) <= allowed)
                            .count(),
                    others.size());
        }

        String words() {
            if (asHere == asLeader) {
                return "which of the two is wrong cannot be told: "
                        + (all == 0
                                ? "no replica runs on another machine"
                                : "of " + all + (all == 1 ? " other machine, " : " other machines, ") + asHere
                                        + (asHere == 1 ? " has" : " have") + " this machine's time, " + asLeader
                                        + " ZooKeeper's");
            }
            return asHere > asLeader
                    ? "more likely ZooKeeper's is wrong: " + asHere + " of " + all
                            + " other machines have this machine's time, and " + asLeader + " ZooKeeper's"
                    : "more likely this machine's is wrong: " + asLeader + " of " + all
                            + " other machines have ZooKeeper's time, and " + asHere + " this machine's";
        }

        String remedy() {
            if (asHere == asLeader) {
                return Remedies.clockOfEither();
            }
            return asHere > asLeader ? Remedies.clockOfLeader() : Remedies.clockHere();
        }
    }
}
