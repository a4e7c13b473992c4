package org.idallocator.zk.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.testing.Progress;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.simulation.Calls.Way;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.simulation.Simulation.Copies;
import org.idallocator.zk.simulation.Simulation.Mutation;
import org.idallocator.zk.simulation.Simulation.Result;
import org.idallocator.zk.simulation.Simulation.Setup;
import org.idallocator.zk.simulation.Simulation.Versions;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulates clusters of allocators, each from one seed: some of them in every build, thousands in the proof.
 *
 * <p><b>What is real.</b> Each replica is a real lease loop with real keepers, fences and generators. Only the clocks
 * and ZooKeeper ({@link SimulatedZooKeeper}) are simulated.
 *
 * <p><b>Who runs.</b> Replicas and callers are {@link Strands}: threads that hand on a baton, so that exactly one of
 * them runs. Every call to ZooKeeper pauses before and after its effect, and so may every reading of a clock. At a
 * pause a scheduler with a seeded random picks who goes on, lets a little time pass, or has something go wrong. So a
 * caller may stop for seconds before a draw, in the midst of it, or with its IDs in hand, and the same seed always
 * gives the same run.
 *
 * <p><b>Who draws.</b> Callers ({@link SimulatedCaller}) draw as programs do, through an {@code IdGenerator}: singles
 * and batches, of whatever tenure serves then. They stand in line where a tick is used up, wait in simulated time, and
 * share what one of them takes. Whoever stops with the line's lock holds up the others of that line.
 *
 * <p><b>What goes wrong</b> is in {@link Weather}. Sessions expire. Requests and answers are lost, and the client
 * repeats questions on this session or the next. Servers lag, watches fire late, requests of abandoned sessions arrive
 * after all. Threads and processes freeze, crash and restart. Wall clocks jump to where IDs were issued, by seconds or
 * by a year. Leases are deleted and meta is wiped. Pools have about as many slots as there are replicas, so that slots
 * change hands often.
 *
 * <p><b>Disasters</b> ({@link Disasters}) befall runs of their own. ZooKeeper is wiped, or loses parts, at once or node
 * by node. A backup comes back. Runs begin in an empty ZooKeeper. Replicas are restarted with other layouts, windows
 * and skews, sooner, later or never. Meanwhile holders are cut off and serve on, and an operator
 * ({@link SimulatedOperator}) runs every command at any moment, as a process that may die in the midst.
 * {@link Disasters} says what is assumed. In runs of long windows, which outlast sessions, no replica reaches ZooKeeper
 * for up to a minute, and the disasters go on meanwhile.
 *
 * <p><b>Orders.</b> Without disasters, operators drain replicas, resume them, and have them change their slots.
 *
 * <p><b>Several slots.</b> In a third of the runs replicas hold up to four slots of a scheme. Callers draw from all of
 * a replica's slots as one, and for seconds ask for more than there is. Batches of more than a tick holds come in other
 * runs, too.
 *
 * <p><b>Versions.</b> In half of the runs, replicas of this version, of the next ({@link NextVersion}) and of the one
 * before ({@link PreviousVersion}) run side by side: each process is of any. What the next version noted of a slot must
 * survive what others write.
 *
 * <p><b>Copies.</b> In runs of their own, a replica is copied with all its state, as with a machine that is cloned, and
 * both go on. What either issues before a write that it sent after that is confirmed may be equal. Of each slot that
 * both had, one of them at most gets there. That one may use a tick again that was used until then, while its wall
 * clock has not passed that.
 *
 * <p><b>IDs passed along.</b> In runs of their own, the clocks of replicas are 3.9 s apart. Callers draw IDs after
 * others that they have received from any replica, and ask again where its clock is too far behind. Each answer sorts
 * after what was seen.
 *
 * <p><b>What must hold</b> ({@link Ledger}): no two IDs are equal; no tick of a slot is used by two tenures; every tick
 * lies between its tenure's floor and what ZooKeeper had recorded; a draw that starts after the deadline gives nothing;
 * no slot is reserved into the far future. After ten seconds nothing goes wrong any more. Then every replica serves
 * again, as far as there are slots, and no lease is left that does not serve. With disasters that is after twenty
 * seconds, or eighty under long windows; then an operator does what the guide says, and everybody serves when the
 * floors are past. With disasters three more rules must hold: whatever begins has a floor above all that was ever
 * reserved; incarnations and generations share no time; and a retired slot is not claimed.
 *
 * <p><b>Is the simulation any good?</b> It must find duplicates with a naive allocator, and with the protocol when any
 * one of its safeguards is taken out ({@link Mutants}). The same goes for draws ({@link DrawMutants}). The last tests
 * here check that.
 *
 * <p>A failure names its seed. {@code -Dsimulation.seed=N -Dsimulation.seeds=1} runs that seed alone; a larger number
 * of seeds runs as many from N on. What must happen in some of many runs is asked only where no fewer run than usual.
 */
@Execution(ExecutionMode.CONCURRENT)
final class SimulationTest {
    private static final String SEED = "simulation.seed";
    private static final String SEEDS = "simulation.seeds";
    private static final int USUAL_SEEDS = Proof.size(30, 2_500);
    private static final int DISASTER_SEEDS = Proof.size(8, 1_250);
    private static final int LONG_WINDOW_SEEDS = Proof.size(4, 300);
    private static final int SERVED_SEEDS = Proof.size(3, 400);
    private static final int APART_SEEDS = Proof.size(5, 300);
    private static final int KEEPING_SEEDS = Proof.size(5, 100);
    private static final int RESENDING_SEEDS = Proof.size(10, 300);
    private static final int COPIED_SEEDS = Proof.size(12, 400);
    private static final int PASSED_SEEDS = Proof.size(8, 400);
    private static final int REPEATED_SEEDS = 20;
    /** The run before lasts for half an hour of simulated time. */
    private static final long REPEATED_FROM = 5;

    private static final long DISASTERS_FROM = Proof.size(5, 0);
    private static final int SEEDS_TO_CATCH = 8_000;
    private static final String ISSUED_TWICE = "issued twice";
    private static final String ISSUED_LATE = "issued after the deadline";
    private static final String SORTS_BEFORE = "does not sort after what was seen";

    /** Where the search for what a mutant does begins: near the first seed that catches the mutant. Any seed may. */
    private static final Map<String, Long> TRIED_FIRST = Map.ofEntries(
            Map.entry("without bits of each write", 705L),
            Map.entry("with slots taken away by the lease alone", 194L),
            Map.entry("without the nonce read-back", 5_955L),
            Map.entry("without the version condition", 1_990L),
            Map.entry("with floors that leave the skew out", 19L),
            Map.entry("with floors that leave the window out", 13L),
            Map.entry("with muids in line", 18L),
            Map.entry("without the condition on the generation", 3_981L),
            Map.entry("without the snapshot's wallSafe", 1_530L),
            Map.entry("with a snapshot used twice", 6_959L),
            Map.entry("without the condition on the incarnation", 1_510L),
            Map.entry("with a relayout that forgets what retired slots reserve", 717L),
            Map.entry("with meta's floor from an earlier time", 1_896L));

    @Test
    void shouldKeepIdsApartAndServeAgainWhateverHappens() {
        List<Result> runs = runAll("simulations", 0, USUAL_SEEDS, Setup::real);
        if (runs.size() >= USUAL_SEEDS) {
            assertTrue(sum(runs, Result::drains) > 0 && sum(runs, Result::rotations) > 0, "orders");
        }
    }

    @Test
    void shouldKeepIdsApartAndServeAgainWhateverIsLost() {
        var unused = runAll("simulations with disasters", DISASTERS_FROM, DISASTER_SEEDS, Setup::disasters);
    }

    @Test
    void shouldKeepIdsApartAndServeAgainWhateverIsLostUnderLongWindows() {
        var unused = runAll("simulations of long windows", 0, LONG_WINDOW_SEEDS, Setup::underLongWindows);
    }

    /** A backup comes back, and nobody tells the replicas: claims and take-ups keep IDs apart all the same. */
    @Test
    void shouldKeepIdsApartWhenBackupsAreServed() {
        var unused = runAll("simulations with served backups", 0, SERVED_SEEDS, Setup::backups);
    }

    @Test
    void shouldKeepIdsApartWhenOnlyTheNextVersionUnderstandsItsRecords() {
        var unused = runAll("simulations of two versions apart", 0, APART_SEEDS, Setup::apart);
    }

    private static List<Result> runAll(String what, long usualFirst, int usualSeeds, LongFunction<Setup> setup) {
        long first = Long.getLong(SEED, usualFirst);
        long last = first + Long.getLong(SEEDS, usualSeeds) - 1;
        List<Result> results = new ArrayList<>();
        for (long seed = first; seed <= last; seed++) {
            Progress.of("seed " + seed + " of " + first + " to " + last);
            results.add(run(setup.apply(seed)));
        }
        long ids = sum(results, Result::ids);
        long several = results.stream().filter(run -> run.mostSlots() > 1).count();
        System.out.printf(
                "%s, seeds %d to %d: %d IDs, several slots in %d, %s%n",
                what, first, last, ids, several, ways(results));
        if (results.size() >= usualSeeds) {
            assertTrue(ids > 0);
            int enough = results.size() / 8; // none where a default build has few seeds
            assertTrue(several >= enough, "only " + several + " runs had several slots of a scheme on a replica");
            for (Way way : Way.values()) {
                assertTrue(runs(results, way) >= enough, "IDs came " + way + " in too few runs: " + ways(results));
            }
        }
        return results;
    }

    /** How IDs came to their callers, and in how many runs some came so. */
    private static String ways(List<Result> results) {
        return Stream.of(Way.values())
                .map(way ->
                        sum(results, run -> run.ways().getOrDefault(way, 0)) + " " + way + " in " + runs(results, way))
                .collect(Collectors.joining(", "));
    }

    private static long runs(List<Result> results, Way way) {
        return results.stream().filter(run -> run.ways().containsKey(way)).count();
    }

    private static long sum(List<Result> results, ToLongFunction<Result> what) {
        return results.stream().mapToLong(what).sum();
    }

    private static Result run(Setup setup) {
        long seed = setup.seed();
        try {
            return new Simulation(setup).run();
        } catch (AssertionError e) {
            return fail("seed " + seed + " (-D" + SEED + "=" + seed + " -D" + SEEDS + "=1): " + e.getMessage(), e);
        }
    }

    @Test
    @ProofOnly("the same seeds again")
    void shouldRunTheSameWayWhenSeedIsTheSame() {
        for (long seed = REPEATED_FROM; seed < REPEATED_FROM + REPEATED_SEEDS; seed++) {
            assertEquals(run(Setup.real(seed)), run(Setup.real(seed)), "seed " + seed);
            assertEquals(run(Setup.disasters(seed)), run(Setup.disasters(seed)), "seed " + seed);
        }
    }

    /**
     * A cloned machine, or a snapshot that was restored beside the original: at most one of both goes on in the slots
     * that they share.
     */
    @Test
    void shouldKeepIdsApartWhenAReplicaIsCopied() {
        var unused = runAll("simulations with a copy", 0, COPIED_SEEDS, seed -> Setup.copied(seed, Copies.ONCE));
    }

    /** An ID is passed from replica to replica, whose clocks are 3.9 s apart, and IDs are drawn after it. */
    @Test
    void shouldSortAfterWhatWasSeenWhicheverReplicaMadeThat() {
        List<Result> runs = runAll(
                "simulations with IDs passed along", 0, PASSED_SEEDS, seed -> Setup.passing(seed, DrawMutation.NONE));
        long answers = sum(runs, Result::answers);
        long refusals = sum(runs, Result::refusals);
        System.out.println("simulation: " + answers + " IDs after others, " + refusals + " refusals as ahead");
        if (runs.size() >= PASSED_SEEDS) {
            assertTrue(answers > 0 && refusals > 0, "answers and refusals");
        }
    }

    @Test
    void shouldFindIdsThatSortBeforeWhenNothingIsCompared() {
        assertCaught(
                "without comparison with the ID that was seen",
                seed -> Setup.passing(seed, DrawMutants.withoutComparisonWithTheSeenId()),
                SORTS_BEFORE);
    }

    @Test
    void shouldFindCopiesThatBothServeWhenWritesHaveNoBits() {
        assertCaught("without bits of each write", seed -> Setup.copied(seed, Copies.WITHOUT_BITS));
    }

    /** The positive control: an ephemeral node alone, until the client says LOST. */
    @Test
    void shouldFindDuplicatesWhenAllocatorIsNaive() {
        assertCaught("the naive allocator", Setup::naive);
    }

    @ParameterizedTest
    @MethodSource
    void shouldFindDuplicatesWhenSafeguardIsMissing(String name, LongFunction<Setup> mutant) {
        assertCaught(name, mutant);
    }

    static Stream<Arguments> shouldFindDuplicatesWhenSafeguardIsMissing() {
        return Stream.of(
                mutant("with floor = old ceiling", Mutants::withFloorAtOldCeiling),
                mutant("without the nonce read-back", Mutants::withoutReadBack),
                mutant("without the version condition", Mutants::withoutVersionCondition),
                mutant("without tick <= ceiling", Mutants::withoutCeiling),
                mutant("with a refusal taken for success", Mutants::withRefusalsBelieved),
                mutantInDisasters("with floors that leave the skew out", Mutants::withFloorsWithoutSkew),
                mutantInDisasters("with floors that leave the window out", Mutants::withFloorsWithoutWindow));
    }

    @ParameterizedTest
    @MethodSource
    @ProofOnly("takes half a minute: only hundreds of seeds find what these lack")
    void shouldFindDuplicatesInManyRunsWhenSafeguardIsMissing(String name, LongFunction<Setup> mutant) {
        assertCaught(name, mutant);
    }

    static Stream<Arguments> shouldFindDuplicatesInManyRunsWhenSafeguardIsMissing() {
        return Stream.of(
                mutant("with a snapshot used twice", Mutants::withSnapshotUsedTwice),
                mutant("without the snapshot's wallSafe", Mutants::withoutWallSafe),
                mutantInDisasters(
                        "with a relayout that forgets what retired slots reserve",
                        (store, settings) -> Mutants.withRelayoutThatForgets(store)),
                mutantInDisasters(
                        "with meta's floor from an earlier time",
                        (store, settings) -> Mutants.withFloorFromEarlierTime(store)),
                mutantInDisasters(
                        "without the condition on the generation",
                        (store, settings) -> Mutants.withoutChecks(store, "/layout/")),
                mutantInDisasters(
                        "without the condition on the incarnation",
                        (store, settings) -> Mutants.withoutChecks(store, "/meta")));
    }

    /** Its holder is cut off, and takes the slot up again when it is back. */
    @Test
    void shouldCatchASlotThatIsTakenAwayByItsLeaseAlone() {
        assertCaught(
                "with slots taken away by the lease alone",
                seed -> Setup.mutantUnderLongWindows(
                        seed, (store, settings) -> Mutants.withSlotsTakenByLeaseAlone(store)),
                "/ids/");
    }

    /** The draws themselves: singles, the line of callers, and what it shares. */
    @ParameterizedTest
    @MethodSource
    void shouldCatchDrawsThatLackASafeguard(String name, Supplier<DrawMutation> draws, String violation) {
        assertCaught(name, seed -> Setup.drawing(seed, draws.get()), violation);
    }

    static Stream<Arguments> shouldCatchDrawsThatLackASafeguard() {
        return Stream.of(
                drawing("with singles that do not ask the fence", DrawMutants::withSinglesUnfenced, ISSUED_LATE),
                drawing("with a part of the line given twice", DrawMutants::withPartGivenTwice, ISSUED_TWICE),
                drawing(
                        "with a line that outlives its tenure",
                        DrawMutants::withLineThatOutlivesItsTenure,
                        ISSUED_LATE),
                drawing("with muids in line", DrawMutants::withMuidsInLine, ISSUED_TWICE));
    }

    private static Arguments drawing(String name, Supplier<DrawMutation> draws, String violation) {
        return Arguments.of(name, draws, violation);
    }

    private static Arguments mutant(String name, UnaryOperator<Store> mutation) {
        return mutantAmong(name, Versions.ONE, mutation);
    }

    private static Arguments mutantInDisasters(String name, Mutation mutation) {
        LongFunction<Setup> setup = seed -> Setup.mutantInDisasters(seed, mutation);
        return Arguments.of(name, setup);
    }

    private static Arguments mutantAmong(String name, Versions versions, UnaryOperator<Store> mutation) {
        LongFunction<Setup> setup = seed -> Setup.mutant(seed, (store, settings) -> mutation.apply(store), versions);
        return Arguments.of(name, setup);
    }

    @ParameterizedTest
    @MethodSource
    void shouldCatchVersionsThatDoNotKeepTheRules(String name, LongFunction<Setup> mutant) {
        assertCaught(name, mutant);
    }

    static Stream<Arguments> shouldCatchVersionsThatDoNotKeepTheRules() {
        return Stream.of(
                mutantAmong(
                        "with records read that only the next version understands",
                        Versions.APART,
                        Mutants::withoutReadableFrom),
                mutantAmong("with fields of the next version dropped", Versions.MIXED, Mutants::withoutUnknownFields),
                mutantAmong("with the number of the next version kept", Versions.MIXED, Mutants::withNumberKept));
    }

    /** What catches them is what they lack. */
    @ParameterizedTest
    @EnumSource(
            value = Versions.class,
            names = {"MIXED", "APART"})
    void shouldCatchNobodyWhenVersionsKeepTheRules(Versions versions) {
        int serving = 0;
        for (long seed = 0; seed < KEEPING_SEEDS; seed++) {
            serving += run(Setup.mutant(seed, (store, settings) -> store, versions))
                                    .ids()
                            > 0
                    ? 1
                    : 0;
        }
        assertTrue(serving >= KEEPING_SEEDS * 9 / 10, serving + " of " + KEEPING_SEEDS + " runs issued an ID");
    }

    /** Nobody depends on it that a transaction is sent once, but for the slots that it holds. */
    @Test
    void shouldKeepIdsApartWhenTransactionsAreRepeated() {
        Mutation repeating = (store, settings) -> Mutants.withRepetitions(store);
        long ids = 0;
        for (long seed = 0; seed < RESENDING_SEEDS; seed++) {
            ids += run(Setup.mutant(seed, repeating, Versions.ONE)).ids();
            ids += run(Setup.mutantInDisasters(seed, repeating)).ids();
        }
        assertTrue(ids > 0);
    }

    private static void assertCaught(String name, LongFunction<Setup> setup) {
        assertCaught(name, setup, "");
    }

    /** The run that catches it breaks a rule whose violation begins with these words. */
    private static void assertCaught(String name, LongFunction<Setup> setup, String violation) {
        OptionalLong seed = firstCaught(setup, TRIED_FIRST.getOrDefault(name, 0L), violation);
        assertTrue(seed.isPresent(), name + " passed " + SEEDS_TO_CATCH + " simulations");
        System.out.println("simulation: " + name + " is caught by seed " + seed.getAsLong());
    }

    private static OptionalLong firstCaught(LongFunction<Setup> setup, long triedFirst, String violation) {
        for (long i = 0; i < SEEDS_TO_CATCH; i++) {
            long seed = (triedFirst + i) % SEEDS_TO_CATCH;
            Progress.of("seed " + seed);
            try {
                new Simulation(setup.apply(seed)).run();
            } catch (Violation e) {
                if (Objects.requireNonNull(e.getMessage()).startsWith(violation)) {
                    return OptionalLong.of(seed);
                }
            }
        }
        return OptionalLong.empty();
    }
}
