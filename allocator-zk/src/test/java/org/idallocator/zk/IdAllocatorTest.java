package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.AheadException;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.generator.TooFarAheadException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which generators a replica gives by the type of their IDs; there is no ZooKeeper, which gids do not need. Also how
 * far ahead an ID can be that was seen.
 */
final class IdAllocatorTest {
    /** No service listens there. */
    private static final ZooKeeperSettings NOWHERE = ZooKeeperSettings.of("127.0.0.1:1");

    @AutoClose
    private static final IdAllocator ALLOCATOR = IdAllocator.connect(
            AllocatorSettings.of(List.of(new SnoScheme(0, 256, 4), new GidScheme(GidType.LOG)), NOWHERE));

    private final IdGenerators generators = ALLOCATOR;

    @Test
    void shouldBeOfTheTypeThatIsAskedFor() {
        assertEquals(GidType.LOG, generators.of(Gid.class).next().type(), "as configured");
        assertEquals(GidType.VOLUME, generators.of(VolumeId.class).next().type());
        assertEquals(GidType.LOG, generators.of(LogId.class).next().type());
        assertEquals(GidType.SEGMENT, generators.of(SegmentId.class).next().type());
        assertThrows(FencedException.class, () -> generators.of(Sno.class).next(), "served, and without a slot yet");
    }

    /** Of others, it is no ID of this root: it says so instead of having callers ask again for hours. */
    @Test
    void shouldKnowHowFarAheadAnIdOfTheRootCanBe() {
        AllocatorSettings settings = AllocatorSettings.of(List.of(new GidScheme(GidType.LOG)), NOWHERE)
                .withWindow(Duration.ofHours(1));
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            LogId half = LogId.first(Instant.now().plus(Duration.ofMinutes(30)));
            LogId twice = LogId.first(Instant.now().plus(Duration.ofHours(2)));

            assertThrows(
                    AheadException.class, () -> allocator.logs().after(half).next());
            assertThrows(
                    TooFarAheadException.class,
                    () -> allocator.logs().after(twice).next());
        }
    }

    @ParameterizedTest
    @CsvSource({"muid", "eightbyte", "uid60"})
    void shouldSayWhatIsServedWhenTheTypesSchemeIsNot(String scheme) {
        Class<? extends Id> type = switch (scheme) {
            case "muid" -> Muid.class;
            case "eightbyte" -> EightByteId.class;
            default -> Uid60.class;
        };

        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> generators.of(type));

        assertEquals("scheme " + scheme + " is not configured; configured are [sno, gid]", thrown.getMessage());
    }

    @Test
    void shouldSayWhichTypesThereAreWhenNoSchemeDrawsTheOneThatIsAskedFor() {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> generators.of(Id.class));

        assertTrue(String.valueOf(thrown.getMessage()).endsWith("Sno, Uid60, VolumeId"), thrown::toString);
    }
}
