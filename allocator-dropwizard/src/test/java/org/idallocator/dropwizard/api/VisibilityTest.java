package org.idallocator.dropwizard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
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

    /** Details that strangers read: how long something lasts, and by how much a clock is off, is no secret. */
    private static final Map<FenceReason, String> NUMBERS = Map.of(
            FenceReason.COOLING, "for 9000 ms",
            FenceReason.CLOCK_SKEW, "the clock is 3000 ms ahead of ZooKeeper's, allowed are 2000 ms",
            FenceReason.CLOCK_BEHIND, "the last ID's time is 3000 ms ahead",
            FenceReason.DEADLINE_PASSED, "the deadline passed at 2026-01-01T00:00:00Z");

    @ParameterizedTest
    @EnumSource(FenceReason.class)
    void shouldTellStrangersTheReasonWithoutItsDetailsButNumbers(FenceReason reason) {
        String detail = NUMBERS.getOrDefault(reason, "held by ids-1 on host-1");
        FencedException why = FencedException.of(reason, detail, Duration.ofSeconds(7));
        SchemeStatus status = new SchemeStatus("sno", Optional.of(why), Optional.empty());
        FencedException told = STRANGERS.redacted(why);

        assertEquals(reason, told.reason());
        assertEquals(NUMBERS.containsKey(reason) ? why.getMessage() : reason.sentence(), told.getMessage());
        assertEquals(Duration.ofSeconds(7), told.retryAfter());
        assertEquals(
                told.getMessage(),
                STRANGERS.redacted(status).lacking().orElseThrow().getMessage());
        assertSame(why, Visibility.OPERATOR.redacted(why));
        assertEquals(status, Visibility.OPERATOR.redacted(status));
    }

    @PublicProperties({"listed", "part"})
    private record Answer(String listed, String added, Part part) {}

    @PublicProperties("listed")
    private record Part(int added, int listed) {}

    /** Whoever adds something to an answer with a list tells operators alone, until it is listed. */
    @Test
    void shouldTellStrangersWhatIsListedAndOperatorsAll() {
        Answer answer = new Answer("a", "b", new Part(1, 2));

        assertEquals("{\"listed\":\"a\",\"part\":{\"listed\":2}}\n", text(STRANGERS.json(answer)));
        assertEquals(
                "{\"listed\":\"a\",\"added\":\"b\",\"part\":{\"added\":1,\"listed\":2}}\n",
                text(Visibility.OPERATOR.json(answer)));
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    @Test
    void shouldTellStrangersThatAHolderIsUnknownWithoutPaths() {
        Holder unknown = Holder.unknown("/ids/sno/leases/0001 does not hold a lease node");
        String words = STRANGERS.redacted(unknown).unknown().orElseThrow();

        assertFalse(words.contains("/ids"), words);
        assertSame(unknown, Visibility.OPERATOR.redacted(unknown));
        assertEquals(Holder.nobody(), STRANGERS.redacted(Holder.nobody()));
    }
}
