package org.idallocator.bench.start;

import java.nio.file.Path;
import java.util.List;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Program;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;

/** How long the service and the empty application take, each with nothing left of an earlier start but the archives. */
final class Servers {
    private static final String ID = "/ids/sno";

    private final Scratch scratch;
    private final Path archive;

    Servers(Scratch scratch) {
        this.scratch = scratch;
        this.archive = scratch.path("empty.jsa");
    }

    /** Makes what both need: the launcher makes that of the service; the empty application learns from one start and one request. */
    void makeArchives() {
        Child.run(
                scratch,
                List.of(
                        "env",
                        "ID_ALLOCATOR_ARCHIVE=now",
                        "JAVA=" + Programs.jdk("java"),
                        Programs.LAUNCHER.toString(),
                        "--help"));
        millis(Programs.empty(scratch, "-XX:TieredStopAtLevel=1", "-XX:ArchiveClassesAtExit=" + archive));
    }

    double service() {
        return millis(Programs.service(Programs.SERVICE, scratch).until(ID));
    }

    double serviceByLauncher() {
        return millis(Programs.launched(scratch).until(ID));
    }

    double empty() {
        return millis(Programs.empty(scratch));
    }

    double emptyWithArchive() {
        return millis(Programs.empty(scratch, "-Xshare:auto", "-XX:SharedArchiveFile=" + archive));
    }

    private double millis(Program program) {
        try (Server server = Server.start(scratch, program)) {
            return server.millisToAnswer();
        }
    }
}
