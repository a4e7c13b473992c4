package org.idallocator.service.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Asks a person before something that is hard to undo.
 *
 * @param in where the person answers
 * @param err where the person is asked
 * @param missing the stream that is no terminal, so that nobody can be asked; empty when there is a person
 */
public record Confirmation(InputStream in, PrintStream err, Optional<Terminal> missing) {
    private static final Set<String> YES = Set.of("y", "yes");

    /** Asks on this process's streams. */
    public static Confirmation of(StandardStreams streams) {
        return new Confirmation(
                streams.in(),
                streams.err(),
                Stream.of(Terminal.STANDARD_INPUT, Terminal.STANDARD_ERROR)
                        .filter(stream -> !stream.present())
                        .findFirst());
    }

    /**
     * To be called before anything is done for the sake of the question.
     *
     * @param what what is to be done, in a few words
     * @param agreed whether the person has agreed already, with {@code --yes}
     * @throws UsageException when nobody has agreed, and there is nobody to ask
     */
    public void requireAnybody(String what, boolean agreed) {
        if (!agreed && missing.isPresent()) {
            throw new UsageException(
                    what + ": " + missing.get().inWords() + " is no terminal to ask on; agree with --yes");
        }
    }

    /**
     * Asks, unless the person has agreed beforehand. Anything but {@code y} or {@code yes} is a no.
     *
     * @param question one line, without the question mark
     * @param agreed whether the person has agreed already, with {@code --yes}
     * @throws UsageException when nobody has agreed, and there is nobody to ask
     * @throws CommandException when the person says no
     */
    public void require(String question, boolean agreed) throws IOException {
        requireAnybody(question, agreed);
        if (agreed) {
            return;
        }
        err.print(question + "? [y/N] ");
        err.flush();
        String answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        if (answer == null || !YES.contains(answer.strip().toLowerCase(Locale.ROOT))) {
            throw new CommandException("nothing was changed");
        }
    }
}
