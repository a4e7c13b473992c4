package org.idallocator.service.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whether a standard stream of this process is a terminal, where the system lets one know, as Linux does. */
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

    /** Whether a file of this path is a terminal. */
    public static boolean isTerminal(String target) {
        return target.matches("/dev/(pts/|tty|console).*");
    }
}
