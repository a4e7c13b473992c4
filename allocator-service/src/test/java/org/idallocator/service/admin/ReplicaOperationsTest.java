package org.idallocator.service.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.service.api.DrainReport;
import org.idallocator.service.api.Json;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.lease.Drained;
import org.idallocator.zk.lease.Rotated;
import org.junit.jupiter.api.Test;

/**
 * What a drain says that is not at its end when the answer is due, and what a rotation says. {@code OrdersTest} has what that does: it is
 * refused where ZooKeeper does not answer.
 */
class ReplicaOperationsTest {
    private static final DrainReport.Slot SNO = new DrainReport.Slot("sno", "0017");
    private static final DrainReport.Slot MUID = new DrainReport.Slot("muid", "3");

    @Test
    void shouldNameTheSlotsThatAreNotGivenBackYet() {
        assertEquals(
                "drained: nothing is issued; ZooKeeper has not confirmed yet that sno 0017, muid 3 are given back,"
                        + " and this replica goes on trying",
                ReplicaOperations.line(new DrainReport(true, false, List.of(SNO, MUID), null, null)));
    }

    @Test
    void shouldNameNoSlotWhereNoneIsKnown() {
        assertEquals(
                "drained: nothing is issued; ZooKeeper has not answered yet, and this replica goes on trying",
                ReplicaOperations.line(new DrainReport(true, false, List.of(), null, null)));
    }

    @Test
    void shouldNameTheStateInWhichNothingIsGivenBack() throws Exception {
        Drained hindered = new Drained(
                List.of(), false, false, Optional.of(Fencing.of(FenceReason.META_GONE, "/ids/meta does not exist")));
        DrainReport report = DrainReport.of(hindered);
        String detail = FenceReason.META_GONE.sentence() + " (/ids/meta does not exist)";

        assertEquals(
                "drained: nothing is issued; ZooKeeper has not answered yet (meta-gone: " + detail
                        + "), and this replica goes on trying",
                ReplicaOperations.line(report));
        assertEquals("meta-gone", Json.get().valueToTree(report).path("reason").asText());
        assertEquals(detail, Json.get().valueToTree(report).path("detail").asText());
    }

    @Test
    void shouldPromiseNothingWhereZooKeeperHasNotAnsweredYet() {
        assertEquals(
                "rotating muid: ZooKeeper has not answered yet; if it does, the slots are changed, and if it fails, all stays as it"
                        + " is: /leases tells",
                ReplicaOperations.line(new MuidScheme(), Optional.empty()));
    }

    @Test
    void shouldSayForWhichSlotsTheOthersWereChanged() {
        assertEquals(
                "rotated: muid 1 -> 2, muid 3 -> 4",
                ReplicaOperations.line(
                        new MuidScheme(),
                        Optional.of(List.of(new Rotated("muid", "1", "2"), new Rotated("muid", "3", "4")))));
    }
}
