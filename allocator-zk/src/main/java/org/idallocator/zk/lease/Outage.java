package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.idallocator.zk.znode.Floors;

/**
 * ZooKeeper gives this replica no answer. IDs come on from what is reserved.
 *
 * @param since when the first question had no answer, by this replica's clock
 * @param reservedUntil until when IDs come on of each scheme that serves from a slot, by this replica's clock: until
 *     the last of its slots is over. Empty where none serves any more
 */
public record Outage(Instant since, Map<String, Instant> reservedUntil) {

    static Outage of(Instant since, List<HeldSlot> held) {
        Map<String, Instant> until = new TreeMap<>();
        held.forEach(slot -> until.merge(slot.scheme(), slot.reservedUntil(), Floors::later));
        return new Outage(since, Collections.unmodifiableMap(until));
    }

    /** Until when IDs of all schemes come on that serve now; empty where none serves from a slot. */
    public Optional<Instant> allReservedUntil() {
        return reservedUntil.values().stream().min(Comparator.naturalOrder());
    }

    /** In words, for people. */
    public String inWords() {
        return "unreachable since " + since
                + allReservedUntil().map(until -> ", reserved until " + until).orElse("");
    }
}
