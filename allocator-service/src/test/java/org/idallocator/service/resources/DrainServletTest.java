package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.DrainReport;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.lease.Drained;
import org.junit.jupiter.api.Test;

/** What a drain says that is not at its end when the answer is due. */
class DrainServletTest {
    private static final DrainReport.Slot SNO = new DrainReport.Slot("sno", "0017");
    private static final DrainReport.Slot MUID = new DrainReport.Slot("muid", "3");

    @Test
    void shouldNameTheSlotsThatAreNotGivenBackYet() {
        assertEquals(
                "drained: nothing is issued; ZooKeeper has not confirmed yet that sno 0017, muid 3 are given back,"
                        + " and this replica goes on trying",
                DrainServlet.line(new DrainReport(true, false, List.of(SNO, MUID), null, null)));
    }

    @Test
    void shouldNameNoSlotWhereNoneIsKnown() {
        assertEquals(
                "drained: nothing is issued; ZooKeeper has not answered yet, and this replica goes on trying",
                DrainServlet.line(new DrainReport(true, false, List.of(), null, null)));
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
                DrainServlet.line(report));
        assertEquals(
                "meta-gone",
                AnswerMapper.get().valueToTree(report).path("reason").asText());
        assertEquals(
                detail, AnswerMapper.get().valueToTree(report).path("detail").asText());
    }
}
