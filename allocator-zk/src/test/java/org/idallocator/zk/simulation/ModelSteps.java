package org.idallocator.zk.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.idallocator.zk.model.Model;
import org.idallocator.zk.model.ModelState;

/** A state of a model, and the steps that led to it: where one cannot be taken, the last of them are told. */
final class ModelSteps {
    private static final int STEPS_TOLD = 16;

    private final String path;
    private final Consumer<String> counter;
    private final Deque<String> story = new ArrayDeque<>();
    private final ModelState state;

    /** {@code path} says what all is about, and {@code counter} hears of each action that is taken. */
    ModelSteps(String path, Model model, Consumer<String> counter) {
        this.path = path;
        this.counter = counter;
        this.state = new ModelState(model);
    }

    ModelState state() {
        return state;
    }

    /** Takes an action. Throws {@link NoStep} where it cannot be taken. */
    void take(String action, Object... arguments) {
        takeThen(Map.of(), action, arguments);
    }

    /** The same, where whoever acts goes by what variables were {@code then}. */
    void takeThen(Map<String, Object> then, String action, Object... arguments) {
        if (!action.equals("Pass")) {
            tell(state.inWords(action, then, arguments));
        }
        state.take(action, then, arguments).ifPresent(refusal -> {
            throw noStep(action, refusal.guard(), refusal.words());
        });
        counter.accept(action);
    }

    /** Nobody watches an ID here, and what time it is stands where it counts. */
    private void tell(String words) {
        story.addLast(words.replaceFirst("; the watched ID.*", ""));
        if (story.size() > STEPS_TOLD) {
            story.removeFirst();
        }
    }

    /** What has happened is no step of the model, because of this guard if there is one. */
    NoStep noStep(String action, Optional<String> guard, String what) {
        return new NoStep(action, guard, path + ": " + what + "\n  " + String.join("\n  ", story));
    }

    /**
     * Throws {@link NoStep} where the invariant does not hold: then the proof is wrong, or what evaluates the model
     * here.
     */
    void requireInvariant() {
        state.broken().ifPresent(part -> {
            throw noStep("invariant " + part.name(), Optional.empty(), part.words());
        });
    }
}
