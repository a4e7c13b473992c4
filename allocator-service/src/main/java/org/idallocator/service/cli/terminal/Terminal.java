package org.idallocator.service.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whether a standard stream of this process is a terminal, and its size, where the system lets one know, as Linux does. */
public enum Terminal {
    STANDARD_INPUT(0),
    STANDARD_OUTPUT(1),
    STANDARD_ERROR(2);

    private static final Logger LOG = LoggerFactory.getLogger(Terminal.class);

    private final Path link;

    Terminal(int descriptor) {
        link = Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    /** The stream's name, for people. */
    String inWords() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** False also where the system does not tell. */
    public boolean present() {
        try {
            return isTerminal(Files.readSymbolicLink(link).toString());
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("the system does not tell what {} is", link, e);
            return false;
        }
    }

    /** How much the terminal shows now; empty where that is not known. */
    public Optional<TerminalSize> size() {
        return TerminalSize.of(System.getenv(), stty());
    }

    /** What {@code stty size} says of the terminal; nothing where the system has no such program, or it does not answer. */
    private String stty() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(link.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream said = stty.getInputStream()) {
                return new String(said.readAllBytes(), StandardCharsets.US_ASCII);
            }
        } catch (IOException e) {
            LOG.debug("the size of {} is not known", inWords(), e);
            return "";
        }
    }

    /** Whether a file of this path is a terminal. */
    public static boolean isTerminal(String target) {
        return target.matches("/dev/(pts/|tty|console).*");
    }
}
