package org.idallocator.faults.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CensusTest {
    private Census census(List<Run> runs) {
        return Census.of(runs.stream());
    }

    private static Run run(long low, long count) {
        return new Run(7, low, count);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 500_000, 999_999})
    void shouldFindOneKeyPlantedInALongRun(long planted) {
        Census census = census(List.of(run(0, 1_000_000), run(planted, 1)));
        assertEquals(1, census.duplicates());
        assertEquals(List.of(run(planted, 1)), census.examples());
    }

    @Test
    void shouldOrderKeysAsUnsigned() {
        Census census = census(List.of(new Run(-1, -5, 5), new Run(-1, 0, 5), new Run(0, Long.MAX_VALUE, 2)));
        assertEquals(0, census.duplicates());
        assertEquals(
                1,
                census(List.of(new Run(0, Long.MAX_VALUE, 2), new Run(0, Long.MIN_VALUE, 1)))
                        .duplicates());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldAgreeWithASetOnRandomRuns(long seed) {
        Random random = new Random(seed);
        Set<List<Long>> set = new HashSet<>();
        List<Run> runs = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < 400; i++) {
            Run run = new Run(random.nextInt(3), random.nextInt(5_000) - 2_500, 1 + random.nextInt(30));
            if (Long.compareUnsigned(run.low(), run.last()) > 0) {
                continue; // a run ends where the lower bits carry
            }
            runs.add(run);
            total += run.count();
            for (long low = run.low(); low <= run.last(); low++) {
                set.add(List.of(run.high(), low));
            }
        }
        Census census = census(runs);
        assertEquals(total, census.total());
        assertEquals(total - set.size(), census.duplicates());
    }
}
