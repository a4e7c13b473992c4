package org.idallocator.processes;

import java.io.IOException;

/** Starts the command that is given, and ends at once, so that the command's process belongs to process 1 from then on. */
final class Orphan {
    private Orphan() {}

    public static void main(String[] command) throws IOException {
        new ProcessBuilder(command).start();
        Runtime.getRuntime().halt(0);
    }
}
