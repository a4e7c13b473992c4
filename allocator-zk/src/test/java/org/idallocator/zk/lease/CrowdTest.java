package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CrowdTest {

    @ParameterizedTest
    @CsvSource({
        // slots, held, members, lacking, mine, min: may one be taken? must one be given back?
        "512, 1, 1, 0, 1, 1, true, false",
        "8, 7, 1, 0, 7, 1, true, false", // all are of the share
        "8, 8, 1, 0, 8, 1, false, false", // none is free
        "8, 6, 2, 0, 5, 1, true, false", // beyond the share of 4, and one stays free
        "8, 7, 2, 0, 6, 1, false, false", // none would stay free
        "8, 5, 2, 1, 5, 1, true, false", // beside the one that the other lacks, one stays free
        "8, 6, 2, 1, 6, 1, false, false",
        "8, 7, 2, 1, 7, 1, false, true", // the last free one is what the other lacks
        "8, 7, 2, 0, 1, 1, true, false", // the last free one is of the share
        "8, 8, 2, 0, 6, 1, false, true", // more than the share, and none is free
        "8, 8, 2, 0, 4, 1, false, false", // all of the share
        "8, 5, 3, 4, 3, 2, false, true", // three free ones are too few for two that need two each
        "3, 3, 5, 3, 2, 1, false, true", // more replicas than slots
        "3, 3, 5, 2, 1, 1, false, false"
    })
    void shouldCompare(ArgumentsAccessor row) {
        Crowd crowd = new Crowd(row.getLong(0), row.getLong(1), row.getInteger(2), row.getLong(3));
        assertEquals(row.getBoolean(6), crowd.allows(row.getInteger(4), false));
        assertEquals(row.getBoolean(7), crowd.exceededBy(row.getInteger(4), row.getInteger(5)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldLetEverybodyHaveItsMinWhateverWasTakenBefore(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 300; run++) {
            int members = 1 + random.nextInt(8);
            int min = 1 + random.nextInt(3);
            int slots = members * min + random.nextInt(20);
            assertTrue(settles(random, slots, new int[members], min), slots + " slots, " + members + ", min " + min);
        }
    }

    /** First some have come, in any order; then all, again and again. At the end each must have its min. */
    private static boolean settles(Random random, int slots, int[] held, int min) {
        int present = 1;
        for (int round = 0; round < 200; round++) {
            present = Math.min(held.length, present + random.nextInt(2));
            act(random.nextInt(present), slots, Arrays.copyOf(held, present), held, min);
        }
        for (int round = 0; round < 60 * held.length; round++) {
            act(round % held.length, slots, held, held, min);
        }
        return Arrays.stream(held).allMatch(mine -> mine >= min);
    }

    /** A replica whose callers want all there is does what it may, and what it must. */
    private static void act(int each, int slots, int[] present, int[] held, int min) {
        int sum = Arrays.stream(held).sum();
        long lacking =
                Arrays.stream(present).map(mine -> Math.max(0, min - mine)).sum();
        Crowd crowd = new Crowd(slots, sum, present.length, lacking);
        if (held[each] < min) {
            held[each] += sum < slots ? 1 : 0;
        } else if (crowd.exceededBy(held[each], min)) {
            held[each]--;
        } else if (crowd.allows(held[each], false)) {
            held[each]++;
        }
    }
}
