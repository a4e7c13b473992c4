package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.zk.lease.Rotated;
import org.junit.jupiter.api.Test;

/** What a rotation says. {@code OrdersTest} has what it does: it is refused where ZooKeeper does not answer. */
class RotateServletTest {
    private static final MuidScheme MUID = new MuidScheme();

    @Test
    void shouldPromiseNothingWhereZooKeeperHasNotAnsweredYet() {
        assertEquals(
                "rotating muid: ZooKeeper has not answered yet; if it does, the slots are changed, and if it fails, all stays as it"
                        + " is: /leases tells",
                RotateServlet.line(MUID, Optional.empty()));
    }

    @Test
    void shouldSayForWhichSlotsTheOthersWereChanged() {
        assertEquals(
                "rotated: muid 1 -> 2, muid 3 -> 4",
                RotateServlet.line(
                        MUID, Optional.of(List.of(new Rotated("muid", "1", "2"), new Rotated("muid", "3", "4")))));
    }
}
