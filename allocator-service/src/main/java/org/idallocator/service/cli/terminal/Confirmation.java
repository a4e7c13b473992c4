package org.idallocator.service.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Asks a person before something that is hard to undo.
 *
 * @param in where the person answers
 * @param err where the person is asked
 * @param terminal whether there is a person: standard input and standard error are a terminal
 */
public record Confirmation(InputStream in, PrintStream err, boolean terminal) {
    private static final Set<String> YES = Set.of("y", "yes");

    /** Asks on this process's streams. */
    public static Confirmation of(StandardStreams streams) {
        return new Confirmation(
                streams.in(), streams.err(), Terminal.STANDARD_INPUT.present() && Terminal.STANDARD_ERROR.present());
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
        if (agreed) {
            return;
        }
        if (!terminal) {
            throw new UsageException(question + ": standard input is no terminal to ask on; agree with --yes");
        }
        err.print(question + "? [y/N] ");
        err.flush();
        String answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        if (answer == null || !YES.contains(answer.strip().toLowerCase(Locale.ROOT))) {
            throw new CommandException("nothing was changed");
        }
    }
}
