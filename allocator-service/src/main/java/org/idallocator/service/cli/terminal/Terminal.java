package org.idallocator.service.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a standard stream of this process is a terminal, as far as the system says so: Linux does. */
public enum Terminal {
    STANDARD_OUTPUT(1),
    STANDARD_ERROR(2);

    private static final Logger LOG = LoggerFactory.getLogger(Terminal.class);

    private final Path link;

    Terminal(int descriptor) {
        link = Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    public boolean present() {
        try {
            return isTerminal(Files.readSymbolicLink(link).toString());
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("the system does not tell what {} is", link, e);
            return false;
        }
    }

    public static boolean isTerminal(String target) {
        return target.matches("/dev/(pts/|tty|console).*");
    }
}
