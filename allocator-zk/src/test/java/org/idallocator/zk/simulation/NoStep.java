package org.idallocator.zk.simulation;

import java.util.Optional;

/** What the code has done is no step of the model. */
final class NoStep extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String action;
    private final Optional<String> guard;

    /**
     * {@code guard} is the one that does not hold; empty where it is another condition of the action, or what came of
     * it.
     */
    NoStep(String action, Optional<String> guard, String what) {
        super(guard.map(name -> action + " without " + name).orElse(action) + ": " + what);
        this.action = action;
        this.guard = guard;
    }

    String action() {
        return action;
    }

    Optional<String> guard() {
        return guard;
    }
}
