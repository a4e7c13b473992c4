package org.idallocator.faults.ids;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All keys of one scheme that one client was given, as sorted files of runs; {@value #RUNS_HELD} runs at most are held in
 * memory. Not thread-safe.
 */
final class Ledger {
    private static final int RUNS_HELD = 50_000;

    private final Path directory;
    private final String name;
    private final int runsHeld;
    private final List<Run> held = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    Ledger(Path directory, String name) {
        this(directory, name, RUNS_HELD);
    }

    Ledger(Path directory, String name, int runsHeld) {
        this.directory = directory;
        this.name = name;
        this.runsHeld = runsHeld;
    }

    void add(Run run) {
        held.add(run);
        if (held.size() == runsHeld) {
            spill();
        }
    }

    private void spill() {
        held.sort(null);
        Path file = directory.resolve(name + "-" + files.size() + ".runs");
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (Run run : held) {
                out.writeLong(run.high());
                out.writeLong(run.low());
                out.writeLong(run.count());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.add(file);
        held.clear();
    }

    /** The files, each sorted, that hold everything added. */
    List<Path> files() {
        if (!held.isEmpty()) {
            spill();
        }
        return List.copyOf(files);
    }
}
