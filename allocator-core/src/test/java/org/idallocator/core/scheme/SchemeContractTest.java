package org.idallocator.core.scheme;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;
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

    /** Schemes whose IDs are spread over the byte range on purpose. */
    private static final Set<String> NOT_SORTED_BY_TIME = Set.of(EightByteScheme.NAME);

    /** Fields that are written lowest bit first. */
    private static final Set<String> REVERSED_FIELDS = Set.of(EightByteScheme.NAME + ".timestamp_ms");

    /** Schemes that go on at once when the clock steps back for the first time. */
    private static final Set<String> TOGGLING = Set.of(SnoScheme.NAME);

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

    static Stream<Named<Scheme<?>>> sortedByTime() {
        return schemes()
                .filter(scheme ->
                        !NOT_SORTED_BY_TIME.contains(scheme.getPayload().name()));
    }

    static Stream<Named<Scheme<?>>> notSortedByTime() {
        return defaults()
                .filter(scheme ->
                        NOT_SORTED_BY_TIME.contains(scheme.getPayload().name()));
    }

    // --- Forms.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldComeBackWhenDrawnIdIsWritten(Scheme<T> scheme) {
        for (T id : drawMany(scheme, 500)) {
            assertEquals(id, scheme.type().parse().apply(id.toString()));
            assertEquals(
                    id,
                    scheme.type()
                            .hex()
                            .parse()
                            .apply(scheme.type().hex().write().apply(id)));
            assertEquals(id, scheme.type().reader().of(id.high(), id.low()));
            assertEquals(new BigInteger(1, id.toBytes()), bits(id));
            for (Form<T> form : scheme.forms()) {
                assertEquals(id, form.parse().apply(form.write().apply(id)), form.name());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldHaveDeclaredLengthsWhenDrawn(Scheme<T> scheme) {
        for (T id : drawMany(scheme, 100)) {
            String text = id.toString();
            byte[] written = new byte[scheme.type().textLength()];
            scheme.type().textWriter().write(id.high(), id.low(), written, 0);

            assertEquals(scheme.type().textLength(), text.length());
            assertTrue(text.matches(scheme.type().textPattern()), text);
            assertEquals(text, new String(written, US_ASCII));
            assertEquals(scheme.type().bytes(), id.toBytes().length);
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldNameFormsOnceWhenListed(Scheme<?> scheme) {
        List<String> names = scheme.forms().stream().map(Form::name).toList();

        assertEquals(names.size(), new HashSet<>(names).size());
        assertTrue(names.stream().allMatch(name -> name.matches("[a-z0-9]+")), names::toString);
    }

    // --- Fields.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldHoldAllSetBitsWhenFieldsAreRead(Scheme<T> scheme) {
        for (T id : drawMany(scheme, 500)) {
            int end = scheme.type().bytes() * 8;
            BigInteger together = BigInteger.ZERO;
            for (Field<T> field : scheme.type().fields()) {
                BigInteger value =
                        new BigInteger(Long.toUnsignedString(field.value().applyAsLong(id)));
                int width = field.lastBit() - field.firstBit() + 1;
                BigInteger inPlace =
                        REVERSED_FIELDS.contains(scheme.name() + "." + field.name()) ? reversed(value, width) : value;
                assertTrue(value.bitLength() <= width, () -> field + " of " + id);
                together = together.or(inPlace.shiftLeft(end - 1 - field.lastBit()));
            }
            assertEquals(bits(id), together, () -> "the fields of " + id);
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldFollowOneAnotherWhenFieldsAreListed(Scheme<T> scheme) {
        int next = 0;
        for (Field<T> field : scheme.type().fields()) {
            assertTrue(field.firstBit() >= next && field.lastBit() >= field.firstBit(), field::toString);
            assertTrue(field.name().matches("[a-z]+(_[a-z]+)*"), field::name);
            next = field.lastBit() + 1;
        }
        assertTrue(next <= scheme.type().bytes() * 8);
    }

    private static BigInteger reversed(BigInteger value, int width) {
        return new BigInteger(Long.toUnsignedString(Long.reverse(value.longValue()) >>> (Long.SIZE - width)));
    }

    // --- Time and uniqueness.

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldCarryClocksTimeWhenDrawn(Scheme<T> scheme) {
        T id = drawMany(scheme, 1).get(0);

        Duration early = Duration.between(id.time(), NOW);

        assertFalse(early.isNegative(), () -> id.time() + " is after " + NOW);
        assertTrue(early.compareTo(Duration.ofSeconds(1)) < 0, () -> id.time() + " is long before " + NOW);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldDifferWhenManyAreDrawn(Scheme<T> scheme) {
        assertEquals(MANY, new HashSet<>(drawMany(scheme, MANY)).size());
    }

    @ParameterizedTest
    @MethodSource("sortedByTime")
    <T extends Id> void shouldSortByTimeWhenTicksDiffer(Scheme<T> scheme) {
        List<T> ids = drawOverTime(scheme);

        for (int i = 1; i < ids.size(); i++) {
            T earlier = ids.get(i - 1);
            T later = ids.get(i);
            assertTrue(earlier.time().isBefore(later.time()));
            assertTrue(
                    Arrays.compareUnsigned(earlier.toBytes(), later.toBytes()) < 0, () -> earlier + " before " + later);
        }
    }

    @ParameterizedTest
    @MethodSource("notSortedByTime")
    <T extends Id> void shouldNotSortByTimeWhenSpreadOnPurpose(Scheme<T> scheme) {
        List<T> ids = drawOverTime(scheme);

        assertTrue(LongStream.range(1, ids.size())
                .mapToInt(i -> (int) i)
                .anyMatch(i -> Arrays.compareUnsigned(
                                ids.get(i - 1).toBytes(), ids.get(i).toBytes())
                        > 0));
    }

    private <T extends Id> List<T> drawOverTime(Scheme<T> scheme) {
        var generator = scheme.onSlot(0, Duration.ofSeconds(2), clock);
        return LongStream.range(0, 300)
                .mapToObj(i -> {
                    clock.advance(Duration.ofMillis(1_000 + 37 * i));
                    return generator.next();
                })
                .toList();
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
        assertTrue(cooling.cooling() && cooling.waitNanos() > 0);
        assertEquals(1, drawCountAt(scheme, generator, floor).issued());
        assertEquals(1, drawCountAt(scheme, generator, floor + 5).issued());
        FencedException above = assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor + 6));
        assertEquals(FenceReason.CEILING_PASSED, above.reason());
        assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor + 5));
        assertEquals(floor + 5, generator.close());
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldIssueNothingWhenDeadlineHasPassed(Scheme<T> scheme) {
        long floor = scheme.pool().orElseThrow().unit().tickAt(clock.micros());
        Fence fence = new Fence(clock, floor, floor + 1_000_000_000, clock.nanos() + 1);
        Generator generator = scheme.open(0, fence);
        assertEquals(1, drawCountAt(scheme, generator, floor).issued());

        clock.park(1);

        FencedException thrown = assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor + 1));
        assertEquals(FenceReason.DEADLINE_PASSED, thrown.reason());
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldIssueNothingWhenClosed(Scheme<T> scheme) {
        long floor = scheme.pool().orElseThrow().unit().tickAt(clock.micros());
        Generator generator = scheme.open(0, Fence.unbounded(clock, floor, floor + 1_000));

        assertEquals(floor - 1, generator.close());

        FencedException thrown = assertThrows(FencedException.class, () -> drawCountAt(scheme, generator, floor));
        assertEquals(FenceReason.RELEASED, thrown.reason());
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

    // --- The due tick.

    @ParameterizedTest
    @MethodSource("leased")
    void shouldBeDueAtFloorWhenNothingWasIssued(Scheme<?> scheme) {
        Generator generator = scheme.open(0, Fence.unbounded(clock, 100, 200));

        assertEquals(100, generator.dueTick(-5));
        assertEquals(100, generator.dueTick(100));
        assertEquals(101, generator.dueTick(101));
        assertEquals(1_000, generator.dueTick(1_000), "whatever the fence will say");
    }

    /** With a last tick that is used up. The tests of the sequence have one with something left. */
    @ParameterizedTest
    @MethodSource("leased")
    void shouldBeDueWhereClockWasWhenItWasAheadUnderLoadAndIsPutRight(Scheme<?> scheme) {
        TickUnit unit = scheme.unit();
        long now = unit.tickAt(clock.micros());
        long ahead = now + unit.ticksIn(Duration.ofHours(1));
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        drawUpAt(scheme, generator, now);
        assertEquals(now + 1, generator.dueTick(now));

        drawUpAt(scheme, generator, ahead);

        assertEquals(ahead + 1, generator.dueTick(ahead));
        boolean toggles = TOGGLING.contains(scheme.name());
        assertEquals(toggles ? now + 2 : ahead + 1, generator.dueTick(now + 2));
        assertEquals(toggles ? 1 : 0, drawCountAt(scheme, generator, now + 2).issued());
    }

    /** Whatever happened before, nothing is issued one tick earlier, and something in that tick. What is left before is drawn first. */
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

    @ParameterizedTest
    @MethodSource("leased")
    void shouldBeDueAsBeforeWhenClosed(Scheme<?> scheme) {
        Generator generator = scheme.open(0, Fence.unbounded(clock, 100, 200));
        drawUpAt(scheme, generator, 150);

        generator.close();

        assertEquals(151, generator.dueTick(150));
        assertEquals(160, generator.dueTick(160));
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

    // --- Slots that the program assigns itself.

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldRepeatNothingWhenSlotIsOpenedAgainPastTheLastTick(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Set<T> ids = new HashSet<>(drawMany(scheme, 1_000));
        long openedTick = unit.tickAt(clock.micros()) + 1;
        clock.setMicros(unit.microsAt(openedTick) + 99);

        List<T> later = drawMany(scheme, 1_000);

        ids.addAll(later);
        assertEquals(2_000, ids.size());
        Instant opened = unit.instantAt(openedTick);
        assertTrue(later.stream().noneMatch(id -> id.time().isBefore(opened)), "none is of before it was opened");
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldWaitForTickOfOpeningWhenClockStepsBackRightAfter(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        long openedTick = unit.tickAt(clock.micros());
        var generator = scheme.onSlot(0, Duration.ofSeconds(2), clock);
        clock.setMicros(clock.micros() - 1_000_000);

        assertEquals(unit.instantAt(openedTick), generator.next().time());
        assertEquals(unit.microsAt(openedTick), clock.micros());
    }

    @ParameterizedTest
    @MethodSource("leased")
    <T extends Id> void shouldWaitForEpochWhenClockIsBeforeIt(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        clock.setMicros(unit.microsAt(0) - 5_000_000);
        var generator = scheme.onSlot(0, Duration.ofSeconds(2), clock);

        FencedException thrown = assertThrows(FencedException.class, generator::next);
        assertEquals(FenceReason.COOLING, thrown.reason());
        assertEquals(Duration.ofSeconds(5), thrown.retryAfter());

        clock.advance(Duration.ofSeconds(4));
        assertEquals(unit.instantAt(0), generator.next().time());
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

    @ParameterizedTest
    @MethodSource("leased")
    void shouldWriteLayoutDownWhenPoolIsShared(Scheme<?> scheme) {
        SlotPool pool = scheme.pool().orElseThrow();

        assertEquals(pool.size(), pool.layout().get("slots"));
        assertEquals(pool.unit().tickMicros(), pool.layout().get("tickMicros"));
        assertEquals(pool.unit().bits(), pool.layout().get("bits"));
        assertTrue(pool.path().equals(scheme.name()) || pool.path().startsWith(scheme.name() + "/"), pool.path());
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
    <T extends Id> void shouldWaitOrRefuseWhenAskedForMoreThanATickHolds(Scheme<T> scheme) {
        List<T> ids = new ArrayList<>();
        Predicate<Integer> refused = count -> {
            try {
                scheme.onSlot(1, Duration.ZERO, clock)
                        .next(
                                count,
                                (high, low) -> ids.add(scheme.type().reader().of(high, low)));
                return false;
            } catch (OverCapacityException e) {
                return true;
            }
        };

        assertFalse(refused.test(1));
        assertEquals(scheme.pool().isPresent(), refused.test(70_000));
        assertTrue(scheme.largestCount(scheme.defaultVariant()) >= 70_000);
        assertTrue(ids.size() > 1, "what the tick holds");
    }

    @ParameterizedTest
    @MethodSource("schemes")
    <T extends Id> void shouldRefuseBeforeAnythingIsTakenWhenCountIsNotPositive(Scheme<T> scheme) {
        TickUnit unit = scheme.unit();
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, unit.maxTick()));
        Set<T> ids = new HashSet<>();
        ids.add(drawAt(scheme, generator, unit.tickAt(clock.micros())));

        for (int count : new int[] {0, -1, -2, -70_000, Integer.MIN_VALUE}) {
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

    /** A bad count is refused even where nothing may be issued, so that callers hear what they did wrong. */
    @ParameterizedTest
    @MethodSource("leased")
    void shouldRefuseCountWhenFencedToo(Scheme<?> scheme) {
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, 0));
        generator.close();

        assertThrows(
                IllegalArgumentException.class,
                () -> Draw.of(generator, 0, scheme.defaultVariant(), (high, low) -> {}));
    }

    /** Where a generator draws one ID in a step of its own, the ID differs from all others, and is of the slot and the time. */
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

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldTakeDefaultWhenParameterIsNotNamed(Scheme<?> scheme) {
        scheme.parameter().ifPresent(parameter -> {
            assertTrue(scheme.largestCount(parameter.defaultVariant()) > 0);
            IllegalArgumentException thrown = assertThrows(
                    IllegalArgumentException.class, () -> parameter.parse().apply("nonsense"));
            String message = String.valueOf(thrown.getMessage());
            assertTrue(message.startsWith(parameter.name() + " must be "), message);
            assertTrue(message.endsWith(parameter.allowed() + ": nonsense"), message);
        });
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

    private static BigInteger bits(Id id) {
        return new BigInteger(Long.toUnsignedString(id.high()))
                .shiftLeft(Long.SIZE)
                .or(new BigInteger(Long.toUnsignedString(id.low())));
    }
}
