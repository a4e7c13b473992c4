package org.idallocator.zk.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.idallocator.core.testing.Progress;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.model.ModelReader;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.simulation.Simulation.Mutation;
import org.idallocator.zk.simulation.Simulation.Setup;
import org.idallocator.zk.simulation.Simulation.Versions;
import org.idallocator.zk.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code is the model: each step that the real classes take in a simulation is a step of {@code SlotLease.model}, or
 * of {@code Eras.model}, whose guards are evaluated as the files say. So the tables of actions in
 * {@code docs/design.md} are true of what these runs do. Each mutant that lacks a guard is caught by that guard's name,
 * in the first runs; by equal IDs alone, that takes hundreds.
 *
 * <p>Other mutants lack what no model has: the rules of versions, the bits that tell copies apart, deadlines, the line
 * of callers, and what a slot has under another name in another layout. {@link SimulationTest} catches them.
 *
 * <p>{@code -Dsimulation.seed=N -Dsimulation.seeds=1} looks at that seed alone, as there.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ModelMonitorTest {
    private static final String SEED = "simulation.seed";
    private static final String SEEDS = "simulation.seeds";
    private static final int USUAL_SEEDS = Proof.size(16, 300);
    private static final int DISASTER_SEEDS = Proof.size(3, 120);
    private static final int REPEATING_SEEDS = Proof.size(2, 40);
    private static final int SEEDS_TO_CATCH = 60;

    /** Where the search for a seed that catches a mutant begins: near the first one. Any seed may. */
    private static final Map<String, Long> TRIED_FIRST = Map.of(
            "without the snapshot's wallSafe", 11L,
            "with floors that leave the skew out", 13L,
            "with floors that leave the window out", 12L,
            "with meta's floor from an earlier time", 6L,
            "without the condition on the incarnation", 31L);

    /**
     * Operators retire slots in disasters alone. Records are raised where strangers write them, or copies; and where
     * some are lost.
     */
    private static final Set<String> NOT_IN_ONE_ERA = Set.of("Raise", "Retire", "Unretire");

    /** Nobody edits records by hand, and who goes on from an old backup is lost sight of. */
    private static final Set<String> ASSUMED_NOT_TO_HAPPEN = Set.of("Edit", "RollBack");

    /**
     * Once in so many runs at most, a slot is lost sight of: somebody has gone on from an old record that came back.
     */
    private static final int RUNS_OUT_OF_SIGHT = 50;

    /** A floor is one number: which part of it is missing cannot always be told. */
    /** A floor that is too low may be the tick of a snapshot, which then looks gone on from without what it used. */
    private static final Set<String> TOO_LOW = Set.of("floor", "usedBefore");

    private static final Set<String> IN_A_FLOOR = Set.of("skew", "window");

    /**
     * A claim under the era before lies below the floor of the next, too; and a renewal that passes there is none that
     * the model knows.
     */
    private static final Set<String> OF_AN_ERA_THAT_ENDED =
            Set.of("claim", "renewal", "release", "command", "eraFloor", "ceiling");

    @Test
    void shouldTakeOnlyStepsOfTheModel() {
        Seen seen = seen("simulations", USUAL_SEEDS, Setup::real);

        assertEquals(0, seen.outOfSight());
        if (seen.runs() >= USUAL_SEEDS) {
            assertEquals(NOT_IN_ONE_ERA, seen.never("SlotLease"));
        }
    }

    @Test
    void shouldTakeOnlyStepsOfTheModelWhateverIsLost() {
        Seen seen = seen("simulations with disasters", DISASTER_SEEDS, Setup::disasters);

        if (Proof.runs() && seen.runs() >= DISASTER_SEEDS) {
            assertEquals(ASSUMED_NOT_TO_HAPPEN, seen.never("Eras"));
        }
        assertTrue(seen.outOfSight() <= 1 + seen.runs() / RUNS_OUT_OF_SIGHT, seen::toString);
    }

    @Test
    void shouldTakeOnlyStepsOfTheModelWhenTransactionsAreRepeated() {
        Mutation repeating = (store, settings) -> Mutants.withRepetitions(store);
        Seen seen =
                seen("simulations that repeat", REPEATING_SEEDS, seed -> Setup.mutant(seed, repeating, Versions.ONE));

        assertEquals(0, seen.outOfSight());
        assertTrue(seen.counts().containsKey("Take"), seen::toString);
    }

    /**
     * What runs have shown.
     *
     * @param outOfSight how many slots nobody looked at to the end
     * @param counts how often each action was taken
     */
    private record Seen(long runs, long outOfSight, Map<String, Integer> counts) {

        /** The actions of a model that nobody took: of these, the runs show nothing. */
        Set<String> never(String model) {
            Set<String> never = new TreeSet<>(ModelReader.read(model).actions().keySet());
            never.removeAll(counts.keySet());
            return never;
        }
    }

    private static Seen seen(String what, int usualSeeds, LongFunction<Setup> setup) {
        Map<String, Integer> counts = new TreeMap<>();
        long outOfSight = 0;
        long first = Long.getLong(SEED, 0);
        long runs = Long.getLong(SEEDS, usualSeeds);
        for (long seed = first; seed < first + runs; seed++) {
            Progress.of("seed " + seed + ", " + runs + " from " + first + " on");
            ModelMonitor monitor = monitored(setup.apply(seed));
            outOfSight += monitor.outOfSight();
            monitor.counts().forEach((action, count) -> counts.merge(action, count, Integer::sum));
        }
        System.out.printf(
                "steps of the model in %s, %d seeds from %d on: %s, %d slots out of sight%n",
                what, runs, first, counts, outOfSight);
        return new Seen(runs, outOfSight, counts);
    }

    private static ModelMonitor monitored(Setup setup) {
        ModelMonitor monitor = new ModelMonitor(setup.disasters());
        try {
            new Simulation(setup, monitor).run();
            monitor.requireInvariant();
            return monitor;
        } catch (AssertionError e) {
            long seed = setup.seed();
            return fail("seed " + seed + " (-D" + SEED + "=" + seed + " -D" + SEEDS + "=1): " + e.getMessage(), e);
        }
    }

    @Test
    void shouldChangeNothingOfARun() {
        for (Setup setup : List.of(Setup.real(2), Setup.disasters(2))) {
            assertEquals(new Simulation(setup).run(), new Simulation(setup, new ModelMonitor(setup.disasters())).run());
        }
    }

    /** What each mutant of the protocol lacks, in the model's words. */
    @ParameterizedTest
    @MethodSource
    void shouldNameTheGuardThatAMutantLacks(String name, Set<String> guards, LongFunction<Setup> mutant) {
        long triedFirst = TRIED_FIRST.getOrDefault(name, 0L);
        for (long i = 0; i < SEEDS_TO_CATCH; i++) {
            long seed = (triedFirst + i) % SEEDS_TO_CATCH;
            Progress.of("seed " + seed);
            Optional<NoStep> caught = caught(mutant.apply(seed));
            if (caught.isPresent()) {
                String what = String.valueOf(caught.get().getMessage());
                System.out.println("monitor: " + name + " is caught by seed " + seed + ": " + what);
                assertTrue(caught.get().guard().filter(guards::contains).isPresent(), what);
                return;
            }
        }
        fail(name + " passed " + SEEDS_TO_CATCH + " simulations");
    }

    static Stream<Arguments> shouldNameTheGuardThatAMutantLacks() {
        return Stream.of(
                mutant(
                        "without the version condition",
                        Set.of("versionOfClaim", "versionOfRenewal", "versionOfRelease"),
                        Mutants::withoutVersionCondition),
                mutant("with floor = old ceiling", TOO_LOW, Mutants::withFloorAtOldCeiling),
                mutant("without tick <= ceiling", Set.of("ceiling"), Mutants::withoutCeiling),
                mutant("without the nonce read-back", Set.of("answer"), Mutants::withoutReadBack),
                mutant("with a refusal taken for success", Set.of("answer"), Mutants::withRefusalsBelieved),
                mutant("with a snapshot used twice", Set.of("once"), Mutants::withSnapshotUsedTwice),
                mutant("without the snapshot's wallSafe", Set.of("safeBefore"), Mutants::withoutWallSafe),
                mutantAmong(
                        "with records read that only the next version understands",
                        Versions.APART,
                        TOO_LOW,
                        Mutants::withoutReadableFrom),
                mutantInDisasters("with floors that leave the skew out", IN_A_FLOOR, Mutants::withFloorsWithoutSkew),
                mutantInDisasters(
                        "with floors that leave the window out", IN_A_FLOOR, Mutants::withFloorsWithoutWindow),
                mutantInDisasters(
                        "with meta's floor from an earlier time",
                        Set.of("eraFloor"),
                        (store, settings) -> Mutants.withFloorFromEarlierTime(store)),
                mutantInDisasters(
                        "without the condition on the generation",
                        OF_AN_ERA_THAT_ENDED,
                        (store, settings) -> Mutants.withoutChecks(store, "/layout/")),
                mutantInDisasters(
                        "without the condition on the incarnation",
                        OF_AN_ERA_THAT_ENDED,
                        (store, settings) -> Mutants.withoutChecks(store, "/meta")));
    }

    private static Arguments mutantInDisasters(String name, Set<String> guards, Mutation mutation) {
        LongFunction<Setup> mutant = seed -> Setup.mutantInDisasters(seed, mutation);
        return Arguments.of(name, guards, mutant);
    }

    private static Arguments mutant(String name, Set<String> guards, UnaryOperator<Store> mutation) {
        return mutantAmong(name, Versions.ONE, guards, mutation);
    }

    private static Arguments mutantAmong(
            String name, Versions versions, Set<String> guards, UnaryOperator<Store> mutation) {
        LongFunction<Setup> mutant = seed -> Setup.mutant(seed, (store, settings) -> mutation.apply(store), versions);
        return Arguments.of(name, guards, mutant);
    }

    private static Optional<NoStep> caught(Setup setup) {
        try {
            new Simulation(setup, new ModelMonitor(setup.disasters())).run();
            return Optional.empty();
        } catch (NoStep e) {
            return Optional.of(e).filter(step -> step.guard().isPresent()); // else what has no name was broken first
        } catch (Violation e) {
            return Optional.empty(); // another rule was broken first
        }
    }
}
