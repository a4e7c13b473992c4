package org.idallocator.service.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private final BackOff backOff = new BackOff(Duration.ofMillis(500), Duration.ofSeconds(3));

    @Test
    void shouldDoubleUpToTheLongest() {
        assertEquals(List.of(500L, 1_000L, 2_000L, 3_000L, 3_000L), next(5));
    }

    @Test
    void shouldStartAnewWhenReset() {
        next(4);
        backOff.reset();

        assertEquals(List.of(500L, 1_000L), next(2));
    }

    private List<Long> next(int count) {
        return Stream.generate(backOff::next)
                .limit(count)
                .map(Duration::toMillis)
                .toList();
    }
}
