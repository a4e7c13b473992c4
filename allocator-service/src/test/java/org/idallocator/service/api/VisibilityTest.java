package org.idallocator.service.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Duration;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Holder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VisibilityTest {
    private static final Visibility STRANGERS = new Visibility(false);

    private static FencedException fenced(FenceReason reason) {
        return new FencedException(reason, reason.sentence() + " (held by ids-1 on host-1)", Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @EnumSource(
            value = FenceReason.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"COOLING", "CLOCK_SKEW", "CLOCK_BEHIND", "DEADLINE_PASSED"})
    void shouldTellStrangersTheReasonWithoutItsDetails(FenceReason reason) {
        FencedException told = STRANGERS.told(fenced(reason));

        assertEquals(reason, told.reason());
        assertEquals(reason.sentence(), told.getMessage());
        assertEquals(Duration.ofSeconds(7), told.retryAfter());
    }

    @Test
    void shouldTellStrangersThatAHolderIsUnknownWithoutPaths() {
        Holder unknown = Holder.unknown("/ids/sno/leases/0001 does not hold a lease node");
        String words = STRANGERS.told(unknown).unknown().orElseThrow();

        assertFalse(words.contains("/ids"), words);
        assertSame(unknown, Visibility.OPERATOR.told(unknown));
        assertSame(Holder.NOBODY, STRANGERS.told(Holder.NOBODY));
    }

    /** How long something lasts, and by how much a clock is off, is no secret. */
    @ParameterizedTest
    @EnumSource(
            value = FenceReason.class,
            names = {"COOLING", "CLOCK_SKEW", "CLOCK_BEHIND", "DEADLINE_PASSED"})
    void shouldTellStrangersNumbers(FenceReason reason) {
        FencedException why = fenced(reason);

        assertSame(why, STRANGERS.told(why));
    }

    @ParameterizedTest
    @EnumSource(FenceReason.class)
    void shouldTellOperatorsAll(FenceReason reason) {
        FencedException why = fenced(reason);
        SchemeStatus status = new SchemeStatus("sno", Optional.of(why), Optional.empty());

        assertSame(why, Visibility.OPERATOR.told(why));
        assertEquals(status, Visibility.OPERATOR.told(status));
        assertEquals(
                STRANGERS.told(why).getMessage(),
                STRANGERS.told(status).lacking().orElseThrow().getMessage());
    }
}
