package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the vectors of sno do not show of its generator. */
final class SnoGeneratorTest {
    private static final int PARTITION = 50_487;
    private static final SnoPartition OURS = SnoPartition.of(PARTITION);
    private static final SnoRange RANGE = new SnoRange(8, 15);

    private final ScriptedClock clock = new ScriptedClock(0);
    private final Fence fence = Fence.unbounded(clock, 100, SnoGenerator.UNIT.maxTick());
    private final SnoGenerator generator = new SnoGenerator(OURS, RANGE, fence);
    private final List<Sno> ids = new ArrayList<>();

    @Test
    void shouldShareOneSequenceWhenMetabytesDiffer() {
        at(200);
        draw(generator, 1, 0);
        draw(generator, 1, 255);

        assertEquals(List.of(Sno.of(200, 0, 0, PARTITION, 8), Sno.of(200, 0, 255, PARTITION, 9)), ids);
    }

    @Test
    void shouldGoOnInRangeWhenOneIsDrawn() {
        at(200);
        draw(generator, 6, 7);
        at(150);
        draw(generator, 6, 7);

        assertEquals(Sno.of(150, 1, 9, PARTITION, 14), one(9));
        assertEquals(Sno.of(150, 1, 255, PARTITION, 15), one(255));
        assertNull(one(9), "used up");
        assertEquals(8, generator.length());
    }

    @Test
    void shouldStayAboveFloorWhenRestoredUnderALaterTenure() {
        at(200);
        draw(generator, 3, 7);
        generator.close();
        Fence later = Fence.unbounded(clock, 500, SnoGenerator.UNIT.maxTick());

        SnoGenerator restored = SnoGenerator.restore(generator.snapshot(), later);
        at(300);

        assertEquals(new Draw(0, 200 * 4_000_000L, Taken.Until.FLOOR), draw(restored, 1, 7));
        at(500);
        assertEquals(Draw.all(8), draw(restored, 8, 7));
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 10, sequenceMin must be 0..65535: -1",
        "3, 5, a sno generator needs at least 4 sequences: 3..5 has 3",
        "9, 2, a sno generator needs at least 4 sequences: 9..2 has -6"
    })
    void shouldRefuseWhenRangeIsNone(int min, int max, String message) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> new SnoRange(min, max));

        assertEquals(message, thrown.getMessage());
    }

    @Test
    void shouldIssueNothingWhenVariantIsNoMetabyte() {
        at(200);

        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> Draw.of(generator, 1, new Variant("metabyte", 256), (high, low) -> ids.add(new Sno(high, low))));

        assertEquals("metabyte must be 0..255: 256", thrown.getMessage());
        assertEquals(List.of(), ids);
        assertThrows(IllegalArgumentException.class, () -> SnoGenerator.metabyte(256));
    }

    private void at(long units) {
        clock.setMicros(SnoGenerator.UNIT.microsAt(units));
    }

    private @Nullable Sno one(int metabyte) {
        return generator.drawOne(SnoGenerator.metabyte(metabyte), Sno::new);
    }

    private Draw draw(SnoGenerator from, int count, int metabyte) {
        return Draw.of(from, count, SnoGenerator.metabyte(metabyte), (high, low) -> ids.add(new Sno(high, low)));
    }
}
