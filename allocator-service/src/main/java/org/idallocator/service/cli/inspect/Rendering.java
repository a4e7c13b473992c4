package org.idallocator.service.cli.inspect;

import java.util.List;

/** How {@code inspect} says what a text says. */
public interface Rendering {
    /** Whole lines; there is at least one candidate, the most plausible first. */
    String of(String input, List<Candidate> candidates);

    /** What stands between two texts' lines. */
    String between();
}
