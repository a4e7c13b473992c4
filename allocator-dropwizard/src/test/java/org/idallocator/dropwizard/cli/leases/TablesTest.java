package org.idallocator.dropwizard.cli.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Slots and replicas for people. */
class TablesTest {
    private static final Instant SINCE = Instant.parse("2026-01-31T12:00:00.123456Z");
    private static final Instant THROUGH = Instant.parse("2026-01-31T12:50:10Z");
    private static final LeaseNode LEASE =
            new LeaseNode(Version.OURS, "07", "nonce-of-a", "a", "host-1", 4711, "", "0x1", SINCE);
    private static final LeaseView HELD = new LeaseView(
            "eightbyte",
            "07",
            LeaseView.State.HELD,
            SINCE,
            THROUGH,
            8_050L,
            null,
            LEASE,
            "/ids/eightbyte/00/leases/07",
            "/ids/eightbyte/00/records/07",
            null);
    private static final List<LeaseView> SLOTS = List.of(
            HELD,
            without("0001", LeaseView.State.COOLING, THROUGH, 7_999L, null),
            without("0002", LeaseView.State.FREE, null, null, null),
            without("x", LeaseView.State.UNREADABLE, null, null, "not a slot of this layout"));

    private static LeaseView without(
            String slot, LeaseView.State state, @Nullable Instant through, @Nullable Long left, @Nullable String why) {
        return new LeaseView("sno", slot, state, null, through, left, through, null, "/l/" + slot, "/r/" + slot, why);
    }

    /** With the tenures, by which release and retire know them. */
    @Test
    void shouldHaveALineForEachSlot() {
        assertEquals("""
                SCHEME     SLOT  STATE       HOLDER  HOST    PID   SINCE                     RESERVED THROUGH           TIME LEFT  NONCE
                eightbyte  07    held        a       host-1  4711  2026-01-31T12:00:00.123Z  2026-01-31T12:50:10Z       8.05 s     nonce-of-a
                sno        0001  cooling                                                     2026-01-31T12:50:10Z       7.999 s
                sno        0002  free
                sno        x     unreadable                                                  not a slot of this layout
                """, ListCommand.table(SLOTS));
    }

    @Test
    void shouldTellAllOfASlotAndWhereItsNodesAre() {
        assertEquals("""
                slot:             eightbyte 07
                state:            held
                reserved through: 2026-01-31T12:50:10Z
                time left:        8.05 s
                holder:           a on host-1, pid 4711
                nonce:            nonce-of-a
                session:          0x1
                since:            2026-01-31T12:00:00.123456Z
                lease node:       /ids/eightbyte/00/leases/07
                record node:      /ids/eightbyte/00/records/07
                """, SlotCommand.details(HELD));
        assertEquals("""
                slot:             sno 0001
                state:            cooling
                reserved through: 2026-01-31T12:50:10Z
                time left:        7.999 s
                free at:          2026-01-31T12:50:10Z
                lease node:       /l/0001
                record node:      /r/0001
                """, SlotCommand.details(SLOTS.get(1)));
        assertEquals("""
                slot:             sno 0002
                state:            free
                reserved through: never used
                lease node:       /l/0002
                record node:      /r/0002
                """, SlotCommand.details(SLOTS.get(2)));
        assertEquals("""
                slot:             sno x
                state:            unreadable
                unreadable:       not a slot of this layout
                lease node:       /l/x
                record node:      /r/x
                """, SlotCommand.details(SLOTS.get(3)));
    }

    @Test
    void shouldHaveALineForEachReplica() {
        List<MemberView> members = List.of(
                new MemberView(
                        "a",
                        "host-1",
                        4711L,
                        "http://host-1:8080",
                        "0x1",
                        SINCE,
                        "1.0.0",
                        -12L,
                        List.of(
                                new MemberView.HeldName("sno", "0001"),
                                new MemberView.HeldName("sno", "0003"),
                                new MemberView.HeldName("uid60", "007")),
                        null),
                new MemberView("b", "host-2", 1L, "", "0x2", SINCE, null, null, List.of(), null),
                new MemberView("c", null, null, null, null, null, null, null, List.of(), "no JSON"));
        assertEquals("""
                INSTANCE  HOST    PID   URL                 VERSION  SINCE                     CLOCK OFFSET  SLOTS
                a         host-1  4711  http://host-1:8080  1.0.0    2026-01-31T12:00:00.123Z  -12 ms        sno 0001, sno 0003, uid60 007
                b         host-2  1                                  2026-01-31T12:00:00.123Z
                c                                                                                            no JSON
                """, MembersCommand.table(members));
    }
}
