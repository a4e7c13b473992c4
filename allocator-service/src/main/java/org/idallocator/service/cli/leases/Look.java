package org.idallocator.service.cli.leases;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.ClusterLeases;
import org.idallocator.service.api.Fleet;
import org.idallocator.service.cli.terminal.Texts;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;

/** {@code leases list}, {@code show} and {@code members}: what a call shows, as often as it is asked. */
public record Look(Call call, ClusterView cluster, boolean json) {

    /** How it is now, without the end of the last line. */
    public String now() {
        Instant now = Texts.now(Clock.system());
        if (call.action() == Action.MEMBERS) {
            return members(now);
        }
        return call.slot().isPresent() ? slot(call.slot().get(), now) : slots(now);
    }

    private String members(Instant now) {
        Fleet fleet = Fleet.of(cluster);
        if (json) {
            return json(fleet);
        }
        return fleet.members().isEmpty() ? "no replica is there" : MemberTable.of(fleet.members(), now);
    }

    private String slot(NamedSlot slot, Instant now) {
        LeaseView view = cluster.lease(slot.scheme(), slot.number());
        return json ? json(view) : LeaseReports.slot(view, now).stripTrailing();
    }

    private String slots(Instant now) {
        List<PoolView> pools = call.pools(cluster);
        List<LeaseView> leases = call.leases(pools);
        if (json) {
            return json(ClusterLeases.of(cluster, pools, leases));
        }
        return (leases.isEmpty() ? none() : table(leases, now)) + strays(pools);
    }

    private String none() {
        return call.action() == Action.LIST ? "no slot was ever used" : "nobody holds a slot";
    }

    private String table(List<LeaseView> leases, Instant now) {
        return call.action() == Action.LIST ? LeaseTable.of(leases, now) : LeaseTable.withNonces(leases, now);
    }

    /** What is left out of the table, in a last line; nothing where all nodes are the allocator's. */
    private static String strays(List<PoolView> pools) {
        long strays = pools.stream().mapToLong(pool -> pool.counts().strays()).sum();
        return strays == 0
                ? ""
                : "\n" + strays + (strays == 1 ? " node is" : " nodes are")
                        + " left out, as no slot has such a name; doctor names them";
    }

    /** A value as one line of JSON. */
    public static String json(Object value) {
        try {
            return AnswerMapper.get().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
