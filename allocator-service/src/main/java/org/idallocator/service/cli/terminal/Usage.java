package org.idallocator.service.cli.terminal;

import io.dropwizard.util.JarLocation;
import java.io.PrintWriter;
import java.util.Optional;

/** Prints why a call was not understood: what is wrong, and which help to ask. */
public final class Usage {
    private Usage() {}

    /** Two lines. {@code command} is the one that was called; when empty, it is not known. */
    public static void print(PrintWriter out, String message, Optional<String> command) {
        out.println(message.strip().replaceAll("\\s*\\R\\s*", " "));
        out.println("Try: java -jar " + new JarLocation(Usage.class)
                + command.map(name -> " " + name).orElse("") + " --help");
    }
}
