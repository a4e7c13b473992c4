package org.idallocator.service.cli.inspect;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.reading.Guess;
import org.idallocator.service.reading.UnreadableException;

/** Prints what one text after another says. A text that is no ID is reported, and the next one follows. Not thread-safe. */
public final class Inspector {
    /** In bytes: longer than an ID in any form of any scheme, with what somebody may have got wrong. */
    private static final int LONGEST_LINE = 1_024;

    private final Guess guess;
    private final Rendering rendering;
    private final Output out;
    private final PrintStream err;
    private boolean said;
    private boolean refused;

    public Inspector(Guess guess, Rendering rendering, Output out, PrintStream err) {
        this.guess = guess;
        this.rendering = rendering;
        this.out = out;
        this.err = err;
    }

    /** Whether any text was no ID. */
    public boolean refused() {
        return refused;
    }

    /** Inspects a text that was an argument; {@code number} counts arguments from 1. */
    public void argument(int number, String text) {
        try {
            inspect(text);
        } catch (UnreadableException e) {
            report("argument " + number, e);
        }
    }

    /** Inspects all lines; blank ones are counted and skipped. What was printed can be read before this waits for more. */
    public void lines(InputStream in) throws IOException {
        LineReader reader = new LineReader(in, LONGEST_LINE, out::flush);
        while (line(reader)) {}
    }

    private boolean line(LineReader reader) throws IOException {
        try {
            Optional<String> line = reader.next();
            line.filter(text -> !text.isEmpty()).ifPresent(this::inspect);
            return line.isPresent();
        } catch (UnreadableException e) {
            report("line " + reader.number(), e);
            return true;
        }
    }

    private void inspect(String text) {
        String rendered = rendering.of(text, guess.candidates(text));
        out.write(said ? rendering.between() + rendered : rendered);
        said = true;
    }

    private void report(String where, UnreadableException why) {
        refused = true;
        out.flush();
        err.println(where + ": " + why.getMessage());
    }
}
