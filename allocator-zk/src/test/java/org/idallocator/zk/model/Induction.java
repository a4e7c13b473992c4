package org.idallocator.zk.model;

import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.zk.model.Model.Action;
import org.idallocator.zk.model.Model.Invariant;

/** Proves a model: that its invariant holds at first, and that each action keeps it, part by part. */
final class Induction {
    /** How often what the invariant says of some elements may name others, of which it is told in turn. */
    private static final int ROUNDS = 2;

    private final Model model;
    private final Solver solver;

    Induction(Model model, Solver solver) {
        this.model = model;
        this.solver = solver;
    }

    /** The parts of the invariant that are not proved to hold at first. */
    Stream<Invariant> brokenAtFirst() {
        return model.invariants().stream().filter(part -> solver.isSatisfiable(StepQuery.atFirst(model, part)));
    }

    /** The parts of the invariant that are not proved to be kept by the action, without some of its guards. */
    Stream<Invariant> brokenBy(Action action, Set<String> without) {
        return model.invariants().stream().filter(part -> isBroken(action, without, part));
    }

    private boolean isBroken(Action action, Set<String> without, Invariant part) {
        return StepQuery.mayChange(action, part)
                && IntStream.rangeClosed(1, ROUNDS)
                        .allMatch(
                                rounds -> solver.isSatisfiable(StepQuery.after(model, action, without, part, rounds)));
    }
}
