package org.idallocator.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Taken;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Field;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every scheme of the list must do, whoever wrote it. A sixth scheme is tested as soon as it is in the list. The
 * constants name the schemes that promise something else than the rest.
 */
final class SchemeContractTest {
    private static final Instant NOW = Instant.parse("2025-07-01T12:34:56.789012Z");
    private static final int MANY = 20_000;

    /** Fields that are written lowest bit first. */
    private static final Set<String> REVERSED_FIELDS = Set.of(EightByteScheme.NAME + ".timestamp_ms");

    private final ScriptedClock clock = new ScriptedClock(NOW.getEpochSecond() * 1_000_000 + NOW.getNano() / 1_000);

    static Stream<Named<Scheme<?>>> schemes() {
        return Stream.concat(
                defaults(), configuredOtherwise().map(scheme -> Named.of(scheme.name() + " (other)", scheme)));
    }

    private static Stream<Named<Scheme<?>>> defaults() {
        return Schemes.all().stream().map(scheme -> Named.of(scheme.name(), scheme));
    }

    private static Stream<Scheme<?>> configuredOtherwise() {
        return Stream.concat(
                Stream.of(new EightByteScheme(7, true)),
                Schemes.configured(Map.of(
                                SnoScheme.NAME, Map.of("partition", 65_534, "partitions", 2, "shards", 16_384),
                                EightByteScheme.NAME, Map.of("clusterId", 15),
                                Uid60Scheme.NAME, Map.of("longestTenureSeconds", 10),
                                GidScheme.NAME, Map.of("type", "segment")))
                        .stream());
    }

    static Stream<Named<Scheme<?>>> leased() {
        return schemes().filter(scheme -> scheme.getPayload().pool().isPresent());
    }

    // --- Fields.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldHoldAllSetBitsWhenFieldsAreRead(Scheme<T> scheme) {
        for (T id : drawMany(scheme, 500)) {
            int end = scheme.type().bytes() * 8;
            int next = 0;
            BigInteger together = BigInteger.ZERO;
            for (Field<T> field : scheme.type().fields()) {
                assertTrue(field.firstBit() >= next && field.lastBit() >= field.firstBit(), field::toString);
                next = field.lastBit() + 1;
                BigInteger value =
                        new BigInteger(Long.toUnsignedString(field.value().applyAsLong(id)));
                int width = field.lastBit() - field.firstBit() + 1;
                BigInteger inPlace =
                        REVERSED_FIELDS.contains(scheme.name() + "." + field.name()) ? reversed(value, width) : value;
                assertTrue(value.bitLength() <= width, () -> field + " of " + id);
                together = together.or(inPlace.shiftLeft(end - 1 - field.lastBit()));
            }
            assertEquals(new BigInteger(1, id.toBytes()), together, () -> "the fields of " + id);
        }
    }

    private static BigInteger reversed(BigInteger value, int width) {
        return new BigInteger(Long.toUnsignedString(Long.reverse(value.longValue()) >>> (Long.SIZE - width)));
    }

    // --- Time and uniqueness.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldDifferAndCarryClocksTimeWhenManyAreDrawn(Scheme<T> scheme) {
        List<T> ids = drawMany(scheme, MANY);
        T id = ids.get(0);

        assertEquals(MANY, new HashSet<>(ids).size());
        Duration early = Duration.between(id.time(), NOW);

        assertFalse(early.isNegative(), () -> id.time() + " is after " + NOW);
        assertTrue(early.compareTo(Duration.ofSeconds(1)) < 0, () -> id.time() + " is long before " + NOW);
    }

    // --- By the type of the IDs.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldBeDrawnWhenAskedForByTheTypeOfItsIds(Scheme<T> scheme) {
        Class<? extends Id> type = drawMany(scheme, 1).get(0).getClass();

        Id byType = new LocalIds(Duration.ZERO, clock).generators(0).of(type).next();

        assertEquals(type, byType.getClass());
    }

    // --- Bounds.

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldIssueFirstAndLastTickWhenFenceAllows(Scheme<T> scheme) {
        TickUnit unit = scheme.pool().orElseThrow().unit();
        Fence whole = Fence.unbounded(clock, 0, unit.maxTick());
        Generator generator = scheme.open(0, whole);

        assertEquals(unit.instantAt(0), drawAt(scheme, generator, 0).time());
        assertEquals(
                unit.instantAt(unit.maxTick()),
                drawAt(scheme, generator, unit.maxTick()).time());
        assertEquals(unit.maxTick(), generator.close());
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldIssueNothingWhenTimeFieldIsUsedUp(Scheme<T> scheme) {
        TickUnit unit = scheme.pool().orElseThrow().unit();
        clock.setMicros(unit.microsAt(unit.maxTick() + 1));

        FencedException thrown = assertThrows(
                FencedException.class,
                () -> scheme.onSlot(0, Duration.ofSeconds(2), clock).next());

        assertEquals(FenceReason.CEILING_PASSED, thrown.reason());
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldIssueOnlyWithinFenceWhenClockLeavesIt(Scheme<T> scheme) {
        long floor = scheme.pool().orElseThrow().unit().tickAt(clock.micros());
        Fence fence = Fence.unbounded(clock, floor, floor + 5);
        Generator generator = scheme.open(0, fence);

        Draw cooling = drawCountAt(scheme, generator, floor - 3);
        assertEquals(0, cooling.issued());
        assertEquals(Taken.Until.FLOOR, cooling.until());
        assertTrue(cooling.waitNanos() > 0);
        assertEquals(1, drawCountAt(scheme, generator, floor).issued());
        assertEquals(1, drawCountAt(scheme, generator, floor + 5).issued());
        FencedException above = assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor + 6));
        assertEquals(FenceReason.CEILING_PASSED, above.reason());
        assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor + 5));
        assertEquals(floor + 5, generator.close());
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldIssueNothingWhenClosed(Scheme<T> scheme) {
        long floor = scheme.pool().orElseThrow().unit().tickAt(clock.micros());
        Generator generator = scheme.open(0, Fence.unbounded(clock, floor, floor + 1_000));

        assertEquals(floor - 1, generator.close());

        FencedException thrown = assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor));
        assertEquals(FenceReason.RELEASED, thrown.reason());
        assertEquals("the slot was released (its generator is closed)", thrown.getMessage());
    }

    /** The use of leases: the next tenure starts above the last tick of this one, whatever the clock says. */
    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldRepeatNothingWhenSlotChangesHandsAndClockIsSetBack(Scheme<T> scheme) {
        Set<T> ids = new HashSet<>();
        TickUnit unit = scheme.pool().orElseThrow().unit();
        long floor = unit.tickAt(clock.micros());
        int drawn = 0;
        for (int tenure = 0; tenure < 20; tenure++) {
            Generator generator = scheme.open(3, Fence.unbounded(clock, floor, unit.maxTick()));
            clock.setMicros(clock.micros() - 1_000_000);
            var waiting = scheme.generator(() -> generator, Duration.ofHours(1), clock);
            for (int i = 0; i < 100; i++) {
                ids.add(waiting.next());
                drawn++;
            }
            floor = generator.close() + 1;
        }
        assertEquals(drawn, ids.size());
    }

    /** The clock is put back twice: sno toggles when that happens for the first time. */
    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldSayThatTheClockIsBehindWhenItWasPutBackFurtherThanCallersWait(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        IdGenerator<T> ids = scheme.generator(() -> generator, Duration.ofSeconds(2), clock);
        for (int i = 0; i < 2; i++) {
            drawUpAt(scheme, generator, unit.tickAt(clock.micros()));
            clock.setMicros(clock.micros() - 3_000_000);
        }

        FencedException thrown = assertThrows(FencedException.class, ids::next);

        assertEquals(FenceReason.CLOCK_BEHIND, thrown.reason());
        clock.advance(thrown.retryAfter());
        assertNotNull(ids.next());
    }

    /**
     * Nothing was issued below the floor, so the clock was past it. Sno goes on there, on the other value of its
     * toggle.
     */
    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldSayThatTheClockIsBehindWhenItWasPutBackBelowTheFloor(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Generator generator = scheme.open(0, Fence.fromNow(clock, unit));
        IdGenerator<T> ids = scheme.generator(() -> generator, Duration.ofSeconds(2), clock);
        assertFalse(generator.hasIssued());
        drawUpAt(scheme, generator, unit.tickAt(clock.micros()));
        assertTrue(generator.hasIssued());
        clock.setMicros(clock.micros() - 4_000_000);

        FencedException thrown = assertThrows(FencedException.class, ids::next);

        assertEquals(FenceReason.CLOCK_BEHIND, thrown.reason());
    }

    // --- The due tick.

    /**
     * Whatever happened before, nothing is issued one tick earlier, and something in that tick. What is left before is
     * drawn first.
     */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldIssueFromDueTickOnWhenDrawnFrom(Scheme<?> scheme) {
        long floor = scheme.unit().tickAt(clock.micros());
        Generator generator = scheme.open(0, Fence.unbounded(clock, floor, floor + 1_000_000));
        Random random = new Random(11);
        int waits = 0;
        for (int i = 0; i < 500; i++) {
            long now = floor + random.nextInt(-3, random.nextBoolean() ? 10 : 600);
            if (generator.dueTick(now) > now) {
                waits++;
                drawUpAt(scheme, generator, now);
                long due = generator.dueTick(now);
                assertEquals(due, generator.dueTick(due));
                assertEquals(0, drawCountAt(scheme, generator, due - 1).issued());
                assertEquals(due, generator.dueTick(now), "nothing was taken");
                clock.setMicros(scheme.unit().microsAt(due));
            } else {
                clock.setMicros(scheme.unit().microsAt(now));
            }
            int wanted = random.nextBoolean() ? 1 : 20_000;
            assertTrue(Draw.of(generator, wanted, scheme.defaultVariant(), (high, low) -> {})
                            .issued()
                    > 0);
        }
        assertEquals(scheme.pool().isPresent(), waits > 80, "waited " + waits + " times");
    }

    /** Draws all that there is while the clock reads that tick. */
    private void drawUpAt(Scheme<?> scheme, Generator generator, long tick) {
        clock.setMicros(scheme.unit().microsAt(tick));
        if (scheme.pool().isPresent()) {
            while (Draw.of(generator, MANY, scheme.defaultVariant(), (high, low) -> {})
                            .issued()
                    > 0) {}
        }
    }

    private <T extends Id> T drawAt(Scheme<T> scheme, Generator generator, long tick) {
        List<T> ids = new ArrayList<>();
        clock.setMicros(scheme.unit().microsAt(tick));
        Draw.of(
                generator,
                1,
                scheme.defaultVariant(),
                (high, low) -> ids.add(scheme.type().reader().of(high, low)));
        assertEquals(1, ids.size());
        return ids.get(0);
    }

    private Draw drawCountAt(Scheme<?> scheme, Generator generator, long tick) {
        clock.setMicros(scheme.unit().microsAt(tick));
        return Draw.of(generator, 1, scheme.defaultVariant(), (high, low) -> {});
    }

    private <T extends Id> T drawAfterWaiting(Scheme<T> scheme, Generator generator) {
        return scheme.generator(() -> generator, Duration.ofSeconds(2), clock).next();
    }

    // --- Slots.

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldTellSlotWhenDrawnFromIt(Scheme<T> scheme) {
        Set<T> ids = new HashSet<>();
        for (long slot : someSlots(scheme.pool().orElseThrow().size())) {
            T id = scheme.onSlot(slot, Duration.ofSeconds(2), clock).next();

            assertEquals(slot, scheme.slotOf(id).orElseThrow());
            assertEquals(List.of(), scheme.remarks(id));
            assertTrue(ids.add(id), "another slot, another ID at the same time");
        }
    }

    @ParameterizedTest
    @MethodSource("leased")
    void shouldSortAsSlotsDoWhenNamed(Scheme<?> scheme) {
        SlotPool pool = scheme.pool().orElseThrow();
        String before = "";
        for (long slot : someSlots(pool.size())) {
            String name = pool.nameOf(slot);
            assertTrue(before.compareTo(name) < 0, before + " before " + name);
            assertTrue(before.isEmpty() || before.length() == name.length());
            assertEquals(slot, pool.slotOf(name));
            before = name;
        }
    }

    @ParameterizedTest
    @MethodSource("leased")
    void shouldRefuseWhenTextIsNoSlotsName(Scheme<?> scheme) {
        SlotPool pool = scheme.pool().orElseThrow();
        String first = pool.nameOf(0);
        String last = pool.nameOf(pool.size() - 1);
        for (String name : List.of("", "x", "-1", "+" + first, "0" + first, first + " ", pool.nameOf(pool.size()))) {
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> pool.slotOf(name), name);

            assertEquals("slot must be " + first + ".." + last + ": " + name, thrown.getMessage());
        }
    }

    private static long[] someSlots(long size) {
        return LongStream.of(0, 1, 2, 3, 9, 10, 11, 15, 16, 63, 64, 99, 100, 1_000, size / 2, size - 2, size - 1)
                .filter(slot -> slot >= 0 && slot < size)
                .sorted()
                .distinct()
                .toArray();
    }

    // --- Parameters and counts.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldRefuseBeforeAnythingIsTakenWhenCountIsNotPositive(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        Set<T> ids = new HashSet<>();
        ids.add(drawAt(scheme, generator, unit.tickAt(clock.micros())));

        for (int count : new int[] {0, -70_000}) {
            int before = ids.size();
            IllegalArgumentException thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> Draw.of(
                            generator,
                            count,
                            scheme.defaultVariant(),
                            (high, low) -> ids.add(scheme.type().reader().of(high, low))));
            assertEquals("count must be 1 or more: " + count, thrown.getMessage());
            assertEquals(before, ids.size());

            T next = drawAfterWaiting(scheme, generator);
            assertTrue(ids.add(next), () -> next + " again after a count of " + count);
        }
    }

    /**
     * Where a generator draws one ID in a step of its own, the ID differs from all others, and is of the slot and the
     * time.
     */
    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldRepeatNothingWhenDrawnOneByOneAndTogether(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        Set<T> ids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            T together = drawAfterWaiting(scheme, generator);
            T one = generator.drawOne(scheme.defaultVariant(), scheme.type().reader());
            assertTrue(ids.add(together), () -> together + " again");
            assertTrue(one == null || ids.add(one), () -> one + " again");
            assertTrue(
                    one == null || scheme.slotOf(one).equals(scheme.slotOf(together)), () -> one + " of another slot");
            assertTrue(one == null || one.time().equals(together.time()), () -> one + " and " + together);
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldTakeNothingWhenOneIsDrawnWithVariantOfAnotherScheme(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        drawAt(scheme, generator, unit.tickAt(clock.micros()));
        Variant stranger = new Variant("colour", scheme.defaultVariant().number());
        boolean ever = generator.drawOne(scheme.defaultVariant(), scheme.type().reader()) != null;

        if (ever) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> generator.drawOne(stranger, scheme.type().reader()));
        }
        assertThrows(IllegalArgumentException.class, () -> Draw.of(generator, 1, stranger, (high, low) -> {}));

        if (scheme.pool().isPresent()) {
            long used = ever ? 2 : 1;
            Draw rest = Draw.of(generator, 1 << 17, scheme.defaultVariant(), (high, low) -> {});
            assertEquals(scheme.idsPerTick() - used, rest.issued(), "what is left of the tick");
        }
    }

    /** What the description of the routes tells clients of bounds is what is read. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldReadWhatTheParameterAllowsAndNothingElse(Scheme<?> scheme) {
        scheme.parameter().ifPresent(parameter -> {
            allowed(parameter.values())
                    .forEach(value -> assertNotNull(parameter.parse().apply(value)));
            refused(parameter.values())
                    .forEach(value -> assertThrows(
                            IllegalArgumentException.class,
                            () -> parameter.parse().apply(value)));
        });
    }

    private static List<String> allowed(Allowed values) {
        return values instanceof Allowed.Range range
                ? List.of("" + range.least(), "" + range.most())
                : ((Allowed.OneOf) values).values();
    }

    private static List<String> refused(Allowed values) {
        return values instanceof Allowed.Range range
                ? List.of("" + (range.least() - 1), "" + (range.most() + 1))
                : allowed(values).stream().map(value -> value + "s").toList();
    }

    private <T extends Id> List<T> drawMany(Scheme<T> scheme, int count) {
        List<T> ids = new ArrayList<>();
        scheme.onSlot(0, Duration.ofSeconds(2), clock)
                .next(count, (high, low) -> ids.add(scheme.type().reader().of(high, low)));
        return ids;
    }
}
