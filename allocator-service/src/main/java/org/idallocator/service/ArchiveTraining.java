package org.idallocator.service;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.idallocator.service.cli.terminal.StandardStreams;

/**
 * What {@code bin/id-allocator} has Java run when it makes an archive of classes: one call of each kind of command, in one
 * process. Prints nothing that matters. Never part of a service.
 */
final class ArchiveTraining {
    private static final String ID = "9q7qmwq2222dhi22";
    private static final List<List<String>> CALLS = List.of(
            List.of("--help"),
            List.of("inspect", ID),
            List.of("inspect", "--json", "-"),
            List.of("check"),
            List.of("generate", "sno", "-n", "2"),
            List.of("doctor")); // the last one: it fails, as no ZooKeeper runs any more, and that ends the process

    private ArchiveTraining() {}

    /** Takes no arguments. The embedded ZooKeeper's directory is {@code ID_ALLOCATOR_DATA}, which should be one of its own. */
    public static void main(String[] arguments) throws Exception {
        for (List<String> call : CALLS) {
            System.out.println(call);
            StandardStreams streams = new StandardStreams(
                    new ByteArrayInputStream(ID.getBytes(StandardCharsets.UTF_8)),
                    OutputStream.nullOutputStream(),
                    new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                    false);
            new AllocatorApplication(streams).run(call.toArray(String[]::new));
        }
    }
}
