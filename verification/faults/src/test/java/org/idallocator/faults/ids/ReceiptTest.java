package org.idallocator.faults.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReceiptTest {
    private static final int COUNT = 60;

    static Stream<Scheme<?>> schemes() {
        return Schemes.all().stream();
    }

    private static <T extends Id> List<T> draw(Scheme<T> scheme) {
        ScriptedClock clock = new ScriptedClock(1_800_000_000_000_000L);
        Generator generator = scheme.open(3, Fence.unbounded(clock, 0, Long.MAX_VALUE));
        List<T> ids = new ArrayList<>();
        while (ids.size() < COUNT) {
            Draw.of(
                    generator,
                    COUNT - ids.size(),
                    scheme.defaultVariant(),
                    (high, low) -> ids.add(scheme.type().reader().of(high, low)));
            clock.park(1_000_000);
        }
        return ids;
    }

    private <T extends Id> List<Receipts.Tally> tally(Scheme<T> scheme, int planted) {
        List<T> ids = draw(scheme);
        Receipts receipts = new Receipts();
        ids.forEach(receipts.open(scheme, micros -> {}));
        ids.subList(10, 10 + planted).forEach(receipts.open(scheme, micros -> {}));
        return receipts.tally();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldFindWhatAnotherClientWasGivenTooAndNothingElse(Scheme<?> scheme) {
        assertEquals(List.of(new Receipts.Tally(scheme.name(), COUNT, 0, List.of())), tally(scheme, 0));
        for (int planted : new int[] {1, 7}) {
            Receipts.Tally tally = tally(scheme, planted).get(0);
            assertEquals(planted, tally.duplicates());
            assertEquals(COUNT + planted, tally.ids());
            Id first = draw(scheme).get(10);
            if (!scheme.name().matches("gid|uid60")) { // those have random bits
                assertTrue(
                        tally.examples().get(0).startsWith("%016x%016x".formatted(first.high(), first.low())),
                        tally.examples()::toString);
            }
        }
    }
}
