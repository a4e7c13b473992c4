package org.idallocator.service.cli.leases;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.service.cli.Table;
import org.idallocator.service.cli.Table.Column;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.jspecify.annotations.Nullable;

/** Slots and replicas for people, in whole lines. */
final class LeaseText {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private LeaseText() {}

    /** A line for each slot; {@code nonces} adds the names of tenures, by which {@code release} and {@code retire} know them. */
    static String slots(List<LeaseView> slots, boolean nonces, Instant now) {
        List<Column<LeaseView>> columns = new ArrayList<>(List.of(
                Column.of("SCHEME", LeaseView::scheme),
                Column.of("SLOT", LeaseView::slot),
                Column.of("STATE", view -> view.state().toString()),
                Column.of("HOLDER", view -> ofLease(view, LeaseNode::instance)),
                Column.of("HOST", view -> ofLease(view, LeaseNode::host)),
                Column.of("PID", view -> ofLease(view, lease -> Long.toString(lease.pid()))),
                Column.of("SINCE", view -> time(view.since())),
                Column.of("AGE", view -> age(view.since(), now)),
                Column.of("RESERVED THROUGH", LeaseText::reservedThrough),
                Column.of("TIME LEFT", view -> duration(view.timeLeftMillis()))));
        if (nonces) {
            columns.add(Column.of("NONCE", view -> ofLease(view, LeaseNode::nonce)));
        }
        return Table.of(slots, columns);
    }

    private static String ofLease(LeaseView view, Function<LeaseNode, String> value) {
        return view.lease() == null ? "" : value.apply(view.lease());
    }

    /** Of a slot that cannot be read, the reason why. */
    private static String reservedThrough(LeaseView view) {
        return Optional.ofNullable(view.unreadable()).orElseGet(() -> time(view.reservedThrough()));
    }

    /** What a table of slots leaves out, in a last line; nothing where all nodes are the allocator's. */
    static String strays(long strays) {
        return strays == 0
                ? ""
                : strays + (strays == 1 ? " node is" : " nodes are")
                        + " left out, as no slot has such a name; doctor names them\n";
    }

    /** All that is known of a slot, with the paths of its nodes. */
    static String slot(LeaseView view, Instant now) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("slot", view.scheme() + " " + view.slot());
        values.put("state", view.state());
        values.put("reserved through", Objects.requireNonNullElse(view.reservedThrough(), unreserved(view)));
        values.put("time left", view.timeLeftMillis() == null ? null : duration(view.timeLeftMillis()));
        values.put("free at", view.freeAt());
        values.put("unreadable", view.unreadable());
        Optional.ofNullable(view.lease()).ifPresent(lease -> putLease(values, lease, now));
        values.put("lease node", view.path());
        values.put("record node", view.recordPath());
        return Table.details(values);
    }

    private static void putLease(Map<String, @Nullable Object> values, LeaseNode lease, Instant now) {
        String url = Objects.requireNonNullElse(lease.url(), ""); // a node that another program wrote may lack it
        values.put("holder", lease.instance() + " on " + lease.host() + ", pid " + lease.pid());
        values.put("url", url.isEmpty() ? "not told" : url);
        values.put("nonce", lease.nonce());
        values.put("session", lease.session());
        values.put("since", lease.acquiredAt() + ", " + age(lease.acquiredAt(), now) + " ago");
    }

    /** Of a slot without a record, nothing was ever reserved; of one whose record cannot be read, nobody knows. */
    private static String unreserved(LeaseView view) {
        return view.unreadable() == null ? "never used" : "not known, as a node cannot be read";
    }

    /** A line for each replica. */
    static String members(List<MemberView> members, Instant now) {
        if (members.isEmpty()) {
            return "no replica is there\n";
        }
        return Table.of(
                members,
                List.of(
                        Column.of("INSTANCE", MemberView::instance),
                        Column.of("HOST", MemberView::host),
                        Column.of("PID", member -> text(member.pid(), "")),
                        Column.of("URL", MemberView::url),
                        Column.of("VERSION", MemberView::version),
                        Column.of("SINCE", member -> time(member.since())),
                        Column.of("AGE", member -> age(member.since(), now)),
                        Column.of("CLOCK OFFSET", member -> text(member.clockOffsetMillis(), " ms")),
                        Column.of("SLOTS", LeaseText::slots)));
    }

    private static String text(@Nullable Long number, String unit) {
        return number == null ? "" : number + unit;
    }

    /** Of a member node that cannot be read, the reason why. */
    private static String slots(MemberView member) {
        Map<String, String> slots = member.slots().stream()
                .collect(Collectors.groupingBy(
                        MemberView.HeldName::scheme,
                        LinkedHashMap::new,
                        Collectors.mapping(MemberView.HeldName::slot, Collectors.joining(","))));
        return Optional.ofNullable(member.unreadable())
                .orElseGet(() -> slots.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining("; ")));
    }

    private static String time(@Nullable Instant instant) {
        return instant == null ? "" : instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** How long ago; nothing for null, and 0 for what is ahead, as by a clock that was. */
    private static String age(@Nullable Instant instant, Instant now) {
        return instant == null
                ? ""
                : duration(Math.max(0, Duration.between(instant, now).toMillis()));
    }

    /**
     * How long something lasts, in few letters: {@code 9.8 s}, {@code 95 s}, {@code 12 min}, {@code 5 h}, {@code 3 d}; nothing for null.
     * A unit is used from two of it on, and seconds have tenths below ten.
     */
    static String duration(@Nullable Long millis) {
        if (millis == null) {
            return "";
        }
        if (millis < 10 * SECOND) {
            return millis / SECOND + "." + millis % SECOND / 100 + " s";
        }
        if (millis < 2 * MINUTE) {
            return millis / SECOND + " s";
        }
        if (millis < 2 * HOUR) {
            return millis / MINUTE + " min";
        }
        return millis < 2 * DAY ? millis / HOUR + " h" : millis / DAY + " d";
    }
}
