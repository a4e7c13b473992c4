package org.idallocator.service.cli;

import java.io.PrintStream;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.FenceRestore;

/** {@code fence-restore}: to be run once after ZooKeeper was restored from a backup or wiped, before IDs are drawn again. */
public final class FenceRestoreCommand extends OperatorCommand {

    public FenceRestoreCommand() {
        super("fence-restore", "Raises the floor of all slots after ZooKeeper lost or got back old data");
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument(FILE).help("configuration file");
    }

    @Override
    void run(AllocatorSection section, Namespace namespace, PrintStream out) {
        try (Ensemble ensemble = Ensemble.of(section)) {
            FenceRestore.Report report = FenceRestore.run(ensemble.settings());
            out.println("incarnation: " + report.oldIncarnation() + " -> " + report.incarnation());
            out.println("floor:       " + report.floor());
            out.println("Running replicas fence what they hold and claim anew; no ID has an earlier time from now on.");
        }
    }
}
