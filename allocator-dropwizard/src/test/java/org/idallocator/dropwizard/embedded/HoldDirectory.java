package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A process that locks a directory. It prints {@code locked}, or why not, and ends when its standard input does. */
final class HoldDirectory {
    private HoldDirectory() {}

    public static void main(String[] arguments) throws IOException {
        try {
            Optional<DirectoryLock> lock = DirectoryLock.tryLock(new DataDirectory(Path.of(arguments[0])));
            System.out.println(lock.isPresent() ? "locked" : "dataDir in use");
            System.in.transferTo(System.out);
            if (lock.isPresent()) {
                lock.get().close();
            }
        } catch (EmbeddedStartException e) {
            System.out.println(e.getMessage());
        }
    }
}
