package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.settings.LeaseBounds;
import org.junit.jupiter.api.Test;

class HealthLineTest {
    private static final SchemeStatus SNO = active("sno");
    private static final SchemeStatus GID = active("gid");

    private static SchemeStatus active(String scheme) {
        return new SchemeStatus(scheme, Optional.empty(), Optional.empty());
    }

    private static FencedException because(String why) {
        return new FencedException(FenceReason.CLOCK_SKEW, why, Duration.ofSeconds(1));
    }

    private static SchemeStatus fenced(String scheme, String why) {
        return new SchemeStatus(scheme, Optional.of(because(why)), Optional.empty());
    }

    @Test
    void shouldSayHowManyServeAndWhyTheOthersDoNot() {
        FencedException behind = because("3.1 s behind");

        assertEquals("all 2 schemes serve", HealthLine.of(List.of(SNO, GID)));
        assertEquals("1 scheme serves", HealthLine.of(List.of(SNO)));
        assertEquals(
                "2 schemes serve; uid60 fenced: " + behind.getMessage(),
                HealthLine.of(List.of(SNO, fenced("uid60", "3.1 s behind"), GID)));
        assertEquals(
                "no scheme serves; sno fenced: " + behind.getMessage(),
                HealthLine.of(List.of(fenced("sno", "3.1 s behind"))));
    }

    @Test
    void shouldTellOneReasonOnce() {
        FencedException away = because("nobody answers");

        assertEquals(
                "1 scheme serves; sno, uid60 fenced: " + away.getMessage(),
                HealthLine.of(List.of(fenced("sno", "nobody answers"), fenced("uid60", "nobody answers"), GID)));
    }

    @Test
    void shouldSayThatASchemeHasTooFewSlots() {
        FencedException full = because("every slot is held");
        SchemeStatus few = new SchemeStatus(
                "sno",
                Optional.empty(),
                Optional.empty(),
                Optional.of(new SchemeStatus.Slots(1, new LeaseBounds(2, 4))),
                Optional.of(full));

        assertEquals(
                "all 2 schemes serve; sno has 1 of at least 2 slots: " + full.getMessage(),
                HealthLine.of(List.of(few, GID)));
    }
}
