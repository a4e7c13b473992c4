package org.idallocator.zk.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.model.Model.Action;
import org.idallocator.zk.model.Model.Control;
import org.idallocator.zk.model.Model.Invariant;
import org.idallocator.zk.model.Model.Possible;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No ID is issued twice, for any number of tenures, writes, ticks, eras and threads: each action of each model keeps
 * all that the model says of every state. A proof could say so of a model that cannot move, or that has contradicted
 * itself. So what the protocol is for can happen, and without any one guard the proof fails, and there are two equal
 * IDs.
 *
 * <p>Nearly all of it takes half a minute and more, and is for the build in full size, where the solver also checks its
 * own answers.
 */
@Execution(ExecutionMode.CONCURRENT)
class InductionTest {
    private static final Map<String, Model> MODELS = Stream.of("SlotLease", "Eras", "TickSequence", "Backup")
            .map(ModelReader::read)
            .collect(Collectors.toMap(Model::name, Function.identity()));

    private static final Solver SOLVER = new Solver(false);
    private static final Solver PROVER = new Solver(Proof.runs());

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void shouldHoldAtFirst(String name) {
        Model model = model(name);
        assertEquals(Set.of(), names(new Induction(model, PROVER).brokenAtFirst()));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    @ProofOnly("half a minute")
    void shouldHoldAfterEachAction(String name, String action) {
        Model model = model(name);
        assertEquals(Set.of(), names(new Induction(model, PROVER).brokenBy(model.action(action), Set.of())));
    }

    static Stream<Arguments> shouldHoldAfterEachAction() {
        return models().flatMap(
                        name -> model(name).actions().keySet().stream().map(action -> Arguments.of(name, action)));
    }

    /** What a part of the invariant says is wanted for the proof of another, or it is the safety. */
    @ParameterizedTest(name = "{0} without {1}")
    @MethodSource("guards")
    @ProofOnly("a minute")
    void shouldNotBeProvedWhenAGuardIsMissing(String name, String guard) {
        Model model = model(name);
        Induction induction = new Induction(model, SOLVER);
        List<Action> guarded = model.actions().values().stream()
                .filter(action -> action.has(guard))
                .toList();

        assertFalse(guarded.isEmpty());
        assertTrue(guarded.stream()
                .anyMatch(action ->
                        induction.brokenBy(action, Set.of(guard)).findFirst().isPresent()));
    }

    static Stream<Arguments> guards() {
        return models().flatMap(name -> model(name).guards().stream().map(guard -> Arguments.of(name, guard)));
    }

    @ParameterizedTest(name = "{0} without {1}")
    @MethodSource
    @ProofOnly("a minute")
    void shouldFindEqualIdsWhenAGuardIsMissing(String name, String guard, List<String> actions) {
        Model model = model(name);
        Expression unsafe = Expression.of("not", model.safety().holds());

        List<String> words =
                new Run(model, Set.of(guard), actions, unsafe).inWords(SOLVER).orElseThrow();
        tell(name + " without " + guard, words);
        assertFalse(new Run(model, Set.of(), actions, unsafe).isPossible(SOLVER), "with all guards, too");
    }

    static Stream<Arguments> shouldFindEqualIdsWhenAGuardIsMissing() {
        return models().flatMap(name ->
                model(name).controls().stream().map(control -> Arguments.of(name, control.guard(), control.actions())));
    }

    private static void tell(String title, List<String> words) {
        System.out.println(IntStream.range(0, words.size())
                .mapToObj(i -> "%n%3d. %s".formatted(i + 1, words.get(i)))
                .collect(Collectors.joining("", title + ":", "\n")));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    @ProofOnly("ten seconds")
    void shouldMove(String name, String words, Expression end, List<String> actions) {
        assertTrue(new Run(model(name), Set.of(), actions, end).isPossible(SOLVER));
    }

    static Stream<Arguments> shouldMove() {
        return models().flatMap(name -> model(name).possible().stream()
                .map(each -> Arguments.of(name, each.words(), each.end(), each.actions())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void shouldTryEachGuardAndEachAction(String name) {
        Model model = model(name);
        Set<String> tried = new TreeSet<>();
        model.controls().stream().map(Control::guard).forEach(tried::add);
        assertEquals(new TreeSet<>(model.guards()), tried);

        Set<String> taken = new HashSet<>();
        model.possible().stream().map(Possible::actions).forEach(taken::addAll);
        model.controls().stream().map(Control::actions).forEach(taken::addAll);
        Set<String> never = new TreeSet<>(model.actions().keySet());
        never.removeAll(taken);
        assertEquals(Set.of(), never);
    }

    static Stream<String> models() {
        return Stream.of("SlotLease", "Eras", "TickSequence", "Backup");
    }

    private static Model model(String name) {
        return Objects.requireNonNull(MODELS.get(name));
    }

    private static Set<String> names(Stream<Invariant> parts) {
        return parts.map(Invariant::name).collect(Collectors.toCollection(TreeSet::new));
    }
}
