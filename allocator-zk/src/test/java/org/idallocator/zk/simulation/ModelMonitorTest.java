package org.idallocator.zk.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

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
import org.idallocator.zk.model.Model;
import org.idallocator.zk.model.ModelReader;
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
 * The code is the model: each step that the real classes take in a simulation is a step of {@code SlotLease.model}, whose guards are
 * evaluated as the file says. So the tables of actions in {@code docs/design.md} are true of what these runs do. Each mutant that lacks
 * a guard is caught by that guard's name, in the first runs; by equal IDs alone, that takes hundreds.
 *
 * <p>{@code -Dsimulation.seed=N -Dsimulation.seeds=1} looks at that seed alone, as in {@link SimulationTest}.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ModelMonitorTest {
    private static final Model MODEL = ModelReader.read("SlotLease");
    private static final String SEED = "simulation.seed";
    private static final String SEEDS = "simulation.seeds";
    private static final int USUAL_SEEDS = Proof.size(12, 400);
    private static final int REPEATING_SEEDS = Proof.size(4, 60);
    private static final int SEEDS_TO_CATCH = 60;

    /** Those of operators come in disasters alone; and nobody but replicas writes records here. */
    private static final Set<String> DONE_BY_OPERATORS_OR_AMONG_STRANGERS = Set.of("Raise", "Retire", "Unretire");

    @Test
    void shouldTakeOnlyStepsOfTheModel() {
        Map<String, Integer> counts = countsOfAll("simulations", USUAL_SEEDS, Setup::real);
        if (Long.getLong(SEEDS, USUAL_SEEDS) >= USUAL_SEEDS) {
            Set<String> never = new TreeSet<>(MODEL.actions().keySet());
            never.removeAll(counts.keySet());
            assertEquals(DONE_BY_OPERATORS_OR_AMONG_STRANGERS, never);
        }
    }

    @Test
    void shouldTakeOnlyStepsOfTheModelWhenTransactionsAreRepeated() {
        Mutation repeating = (store, settings) -> Mutants.withRepetitions(store);
        Map<String, Integer> counts = countsOfAll(
                "simulations that repeat", REPEATING_SEEDS, seed -> Setup.mutant(seed, repeating, Versions.ONE));
        assertTrue(counts.containsKey("Take"));
    }

    /** Looks at so many runs; returns how often each action was taken. */
    private static Map<String, Integer> countsOfAll(String what, int usualSeeds, LongFunction<Setup> setup) {
        Map<String, Integer> counts = new TreeMap<>();
        long first = Long.getLong(SEED, 0);
        long last = first + Long.getLong(SEEDS, usualSeeds) - 1;
        for (long seed = first; seed <= last; seed++) {
            Progress.of("seed " + seed + " of " + first + " to " + last);
            ModelMonitor monitor = new ModelMonitor(MODEL);
            try {
                new Simulation(setup.apply(seed), monitor).run();
                monitor.requireInvariant();
            } catch (AssertionError e) {
                fail("seed " + seed + " (-D" + SEED + "=" + seed + " -D" + SEEDS + "=1): " + e.getMessage(), e);
            }
            assertEquals(0, monitor.outOfSight(), "seed " + seed);
            monitor.counts().forEach((action, count) -> counts.merge(action, count, Integer::sum));
        }
        System.out.printf("steps of the model in %s, seeds %d to %d: %s%n", what, first, last, counts);
        return counts;
    }

    @Test
    void shouldChangeNothingOfARun() {
        Setup setup = Setup.real(2);
        assertEquals(new Simulation(setup).run(), new Simulation(setup, new ModelMonitor(MODEL)).run());
    }

    /** What each mutant of the protocol lacks, in the model's words. */
    @ParameterizedTest
    @MethodSource
    void shouldNameTheGuardThatAMutantLacks(String name, Set<String> guards, LongFunction<Setup> mutant) {
        for (long seed = 0; seed < SEEDS_TO_CATCH; seed++) {
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
                mutant("with floor = old ceiling", Set.of("floor"), Mutants::withFloorAtOldCeiling),
                mutant("without tick <= ceiling", Set.of("ceiling"), Mutants::withoutCeiling),
                mutant("without the nonce read-back", Set.of("answer"), Mutants::withoutReadBack),
                mutant("with a refusal taken for success", Set.of("answer"), Mutants::withRefusalsBelieved),
                mutant("with a snapshot used twice", Set.of("once"), Mutants::withSnapshotUsedTwice),
                mutant("without the snapshot's wallSafe", Set.of("safeBefore"), Mutants::withoutWallSafe),
                mutantAmong(
                        "with records read that only the next version understands",
                        Versions.APART,
                        Set.of("floor"),
                        Mutants::withoutReadableFrom));
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
            new Simulation(setup, new ModelMonitor(MODEL)).run();
            return Optional.empty();
        } catch (NoStep e) {
            return Optional.of(e);
        }
    }
}
