package org.idallocator.service.cli.leases;

import static org.idallocator.service.cli.leases.Tables.column;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.zk.operator.MemberView;
import org.jspecify.annotations.Nullable;

/** The replicas as a table. */
final class MemberTable {
    private MemberTable() {}

    /** All that a person wants to see of each replica; {@code now} tells for how long each is there. */
    static String of(List<MemberView> members, Instant now) {
        return Tables.table(
                members,
                List.of(
                        column("INSTANCE", MemberView::instance),
                        column("HOST", MemberView::host),
                        column("PID", member -> text(member.pid())),
                        column("URL", MemberView::url),
                        column("VERSION", MemberView::version),
                        column("SINCE", member -> Tables.time(member.since())),
                        column("AGE", member -> Ages.since(member.since(), now)),
                        column("CLOCK OFFSET", MemberTable::offset),
                        column("SLOTS", MemberTable::slots)));
    }

    private static String offset(MemberView member) {
        return member.clockOffsetMillis() == null ? "" : member.clockOffsetMillis() + " ms";
    }

    private static String text(@Nullable Long number) {
        return number == null ? "" : number.toString();
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
}
