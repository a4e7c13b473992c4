package org.idallocator.service.cli.inspect;

import java.util.List;
import org.idallocator.service.reading.Candidate;

/** How {@code inspect} prints what a text says. */
public interface Rendering {
    /** What the candidates say, in whole lines; there is at least one candidate, and the most plausible comes first. */
    String of(String input, List<Candidate> candidates);

    /** What separates the lines of one text from those of the next. */
    String between();
}
