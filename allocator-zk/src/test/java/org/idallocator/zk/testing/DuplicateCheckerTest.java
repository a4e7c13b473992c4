package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The checker finds every pair of equal IDs, and no other. */
class DuplicateCheckerTest {
    private final DuplicateChecker checker = new DuplicateChecker();

    @Test
    void shouldFindThePlantedPairAmongMillions() {
        LongStream.range(0, 2_000_000).forEach(i -> checker.accept(i, i * i));
        checker.requireNone();
        checker.accept(1_234_567, 1_234_567L * 1_234_567L);
        assertEquals(1, checker.duplicates());
        assertEquals(List.of("000000000012d68700000162dec1fb31"), checker.examples());
        assertThrows(AssertionError.class, checker::requireNone);
    }

    @Test
    void shouldFindEveryPairWhenThreadsGiveTheSameIds() {
        IntStream.range(0, 4)
                .parallel()
                .forEach(t -> LongStream.range(0, 100_000).forEach(i -> checker.accept(0, i)));
        assertEquals(300_000, checker.duplicates());
    }
}
