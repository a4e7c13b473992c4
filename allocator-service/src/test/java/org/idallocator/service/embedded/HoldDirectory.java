package org.idallocator.service.embedded;

import java.io.IOException;
import java.nio.file.Path;

/** A process that locks a directory. It prints {@code locked}, or why not, and ends when its standard input does. */
final class HoldDirectory {
    private HoldDirectory() {}

    public static void main(String[] arguments) throws IOException {
        try (DirectoryLock lock = DirectoryLock.on(Path.of(arguments[0]))) {
            System.out.println("locked");
            System.in.transferTo(System.out);
            System.out.println(lock.directory());
        } catch (EmbeddedStartException e) {
            System.out.println(e.getMessage());
        }
    }
}
