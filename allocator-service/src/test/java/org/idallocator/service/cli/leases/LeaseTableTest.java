package org.idallocator.service.cli.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;
import org.junit.jupiter.api.Test;

class LeaseTableTest {
    private static final Instant SINCE = Instant.parse("2026-01-31T12:00:00.123456Z");
    private static final Instant THROUGH = Instant.parse("2026-01-31T12:00:10Z");
    private static final LeaseNode LEASE =
            new LeaseNode(LeaseNode.VERSION, "07", "nonce-of-a", "a", "host-1", 4711, "", "0x1", SINCE, THROUGH);
    private static final List<LeaseView> SLOTS = List.of(
            new LeaseView("eightbyte", "07", LeaseView.State.HELD, LEASE, THROUGH, null),
            new LeaseView("sno", "0001", LeaseView.State.FREE, null, null, null),
            new LeaseView("sno", "x", LeaseView.State.UNREADABLE, null, null, "not a slot of this layout"));

    @Test
    void shouldHaveALineForEachSlot() {
        assertEquals("""
                SCHEME     SLOT  STATE       HOLDER  HOST    PID   SINCE                     RESERVED THROUGH
                eightbyte  07    held        a       host-1  4711  2026-01-31T12:00:00.123Z  2026-01-31T12:00:10Z
                sno        0001  free
                sno        x     unreadable                                                  not a slot of this layout""", LeaseTable.of(SLOTS));
    }

    @Test
    void shouldNameTenures() {
        assertEquals("""
                SCHEME     SLOT  STATE  HOLDER  HOST    PID   SINCE                     RESERVED THROUGH      NONCE
                eightbyte  07    held   a       host-1  4711  2026-01-31T12:00:00.123Z  2026-01-31T12:00:10Z  nonce-of-a""", LeaseTable.withNonces(SLOTS.subList(0, 1)));
    }
}
