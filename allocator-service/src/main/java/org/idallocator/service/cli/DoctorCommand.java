package org.idallocator.service.cli;

import java.io.PrintStream;
import java.util.List;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.Doctor.Finding;

/** {@code doctor}: looks at what a replica with this configuration would meet. Changes nothing. */
public final class DoctorCommand extends OperatorCommand {

    public DoctorCommand(SectionReader<?> reader) {
        super("doctor", "Looks at ZooKeeper, the root, the clock and the pools", reader);
    }

    @Override
    public void configure(Subparser subparser) {
        reader().addArgument(subparser);
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, PrintStream out) {
        try (Ensemble ensemble = Ensemble.running(section)) {
            List<Finding> findings = Doctor.examine(ensemble.settings());
            out.println(ensemble.description());
            findings.forEach(finding ->
                    out.printf("%-4s %-10s %s%n", finding.ok() ? "ok" : "BAD", finding.what(), finding.detail()));
            long bad = findings.stream().filter(finding -> !finding.ok()).count();
            if (bad > 0) {
                throw new CommandException(bad + " of " + findings.size() + " findings are bad");
            }
        }
    }
}
