package org.idallocator.service.console;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.settings.Replica;
import org.jspecify.annotations.Nullable;

/**
 * Pools and replicas as the console draws them.
 *
 * @param self the replica that answers
 * @param forOperator whether who asks is certain to be an operator; others are not told process IDs, tenures, and the words
 *     of failures
 */
record Pools(Replica self, boolean forOperator) {
    /** The largest pool that is drawn slot by slot, and the longest list of slots. */
    static final int MOST = 1_024;

    /** What everybody is told of a node that cannot be read; the words may quote it. */
    private static final String UNREADABLE = "the admin port says why";

    ConsoleState.Pool pool(SlotPool configured, PoolView view) {
        SlotPool pool = configured.ofSize(view.counts().size());
        boolean whole = pool.size() <= MOST;
        List<ConsoleState.SlotEntry> slots = whole ? all(pool, view) : used(view);
        long used = view.slots().stream().filter(Pools::isUsed).count();
        return new ConsoleState.Pool(view.counts(), whole, slots, whole ? 0 : Math.max(0, used - slots.size()));
    }

    /** Every slot, and behind them what has a name that is no slot's. */
    private List<ConsoleState.SlotEntry> all(SlotPool pool, PoolView view) {
        Map<String, LeaseView> known =
                view.slots().stream().collect(Collectors.toMap(LeaseView::slot, Function.identity()));
        List<String> names =
                LongStream.range(0, pool.size()).mapToObj(pool::nameOf).toList();
        Stream<ConsoleState.SlotEntry> slots = names.stream()
                .map(name -> Optional.ofNullable(known.get(name))
                        .map(this::entry)
                        .orElseGet(() -> ConsoleState.SlotEntry.unused(name)));
        Set<String> all = Set.copyOf(names);
        Stream<ConsoleState.SlotEntry> others =
                view.slots().stream().filter(slot -> !all.contains(slot.slot())).map(this::entry);
        return Stream.concat(slots, others).toList();
    }

    /** What this replica holds comes first, then what others hold, and what cools, as the states are declared. */
    private List<ConsoleState.SlotEntry> used(PoolView view) {
        return view.slots().stream()
                .filter(Pools::isUsed)
                .sorted(Comparator.comparing((LeaseView slot) -> !isHere(slot)).thenComparing(LeaseView::state))
                .limit(MOST)
                .map(this::entry)
                .toList();
    }

    private static boolean isUsed(LeaseView slot) {
        return slot.state() != LeaseView.State.FREE;
    }

    private boolean isHere(LeaseView slot) {
        LeaseNode lease = slot.lease();
        return lease != null && isSelf(lease.instance(), lease.host(), lease.pid());
    }

    private ConsoleState.SlotEntry entry(LeaseView slot) {
        Optional<LeaseNode> lease = Optional.ofNullable(slot.lease());
        return new ConsoleState.SlotEntry(
                slot.slot(),
                slot.state().toString(),
                isHere(slot),
                lease.map(LeaseNode::instance).orElse(null),
                lease.map(LeaseNode::host).orElse(null),
                slot.since(),
                slot.freeAt(),
                lease.filter(holder -> forOperator).map(LeaseNode::nonce).orElse(null),
                words(slot.unreadable()));
    }

    private @Nullable String words(@Nullable String unreadable) {
        return unreadable == null || forOperator ? unreadable : UNREADABLE;
    }

    ConsoleState.Replica replica(MemberView member) {
        Long pid = member.pid();
        return new ConsoleState.Replica(
                member.instance(),
                pid != null && isSelf(member.instance(), member.host(), pid),
                member.host(),
                forOperator ? pid : null,
                member.url(),
                member.since(),
                member.version(),
                member.clockOffsetMillis(),
                member.slots().stream()
                        .collect(Collectors.groupingBy(
                                MemberView.HeldName::scheme,
                                LinkedHashMap::new,
                                Collectors.mapping(MemberView.HeldName::slot, Collectors.toList()))),
                words(member.unreadable()));
    }

    private boolean isSelf(String instance, @Nullable String host, long pid) {
        return self.instance().equals(instance) && self.host().equals(host) && self.pid() == pid;
    }
}
