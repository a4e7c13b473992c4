package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.settings.Terms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far ahead ticks are reserved, and until when a tenure may rely on its lease. */
final class LeaseRulesTest {
    private final Clock clock = Clock.system();

    @Test
    void shouldStayWithinTimeFieldWhenThatEnds() {
        SlotPool pool = new EightByteScheme(3).pool().orElseThrow();
        TickUnit millis = pool.unit();
        long last = millis.microsAt(millis.maxTick() - 1);
        assertEquals(millis.maxTick(), rules(Duration.ofSeconds(3)).ceiling(pool, last, OptionalLong.empty()));
    }

    /** What a tenure could never issue need not cool after a crash. */
    @Test
    void shouldReserveNoMoreThanTheTenureLasts() {
        SlotPool pool = new Uid60Scheme(Duration.ofHours(1)).pool().orElseThrow();
        OptionalLong end = OptionalLong.of(clock.nanos() + Duration.ofMinutes(5).toNanos());
        long micros = pool.unit().microsAt(1_000);
        assertEquals(1_000 + 301, rules(Duration.ofHours(24)).ceiling(pool, micros, end));
        assertEquals(1_000 + 60, rules(Duration.ofMinutes(1)).ceiling(pool, micros, end));
    }

    /**
     * Each quarter of the shorter of both; of a long window, each twentieth; and so often that the contact stays
     * unbroken.
     */
    @ParameterizedTest
    @CsvSource({
        "10, 10, 2500",
        "10, 4, 1000",
        "4, 10, 1000",
        "20, 10, 2500",
        "60, 10, 3000",
        "100, 10, 5000",
        "120, 10, 6000",
        "86400, 10, 6000",
        "60, 60, 6000",
        "24, 60, 6000",
        "1, 60, 250"
    })
    void shouldRenewInTime(long windowSeconds, long sessionSeconds, long millis) {
        List<SlotPool> pools = List.of(new EightByteScheme(3).pool().orElseThrow());
        assertEquals(
                Duration.ofMillis(millis),
                rules(Duration.ofSeconds(windowSeconds)).renewalPeriod(pools, Duration.ofSeconds(sessionSeconds)));
    }

    /** All slots are renewed together. */
    @Test
    void shouldRenewAsOftenAsTheShortestWindowNeeds() {
        SlotPool small = new EightByteScheme(3).pool().orElseThrow();
        SlotPool large = new MuidScheme().pool().orElseThrow();
        LeaseRules rules =
                new LeaseRules(clock, pool -> terms(pool.equals(small) ? Duration.ofSeconds(4) : Duration.ofHours(1)));
        Duration session = Duration.ofSeconds(10);
        assertEquals(Duration.ofSeconds(1), rules.renewalPeriod(List.of(large, small), session));
        assertEquals(Duration.ofSeconds(6), rules.renewalPeriod(List.of(large), session));
    }

    private LeaseRules rules(Duration window) {
        return new LeaseRules(clock, pool -> terms(window));
    }

    private static Terms terms(Duration window) {
        return new Terms(window, Duration.ofSeconds(10), Duration.ofSeconds(2));
    }
}
