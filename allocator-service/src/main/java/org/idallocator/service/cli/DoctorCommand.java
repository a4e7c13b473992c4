package org.idallocator.service.cli;

import java.io.IOException;
import java.util.List;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.Doctor.Finding;

/** {@code doctor}: looks at what a replica with this configuration would meet. Changes nothing. */
public final class DoctorCommand extends OperatorCommand {

    public DoctorCommand(SectionReader<?> reader, StandardStreams streams) {
        super("doctor", "Tells whether one more replica would serve, and if not, why", reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help(
                        "{\"ok\":false,\"findings\":[{\"ok\":false,\"what\":\"clock\",\"detail\":\"...\",\"reason\":\"clock-skew\"}]}");
        reader().addOption(subparser);
        subparser.epilog("The status is 0 when one more replica would serve all schemes at once; else 1.");
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, Output out) throws IOException {
        try (Ensemble ensemble = Ensemble.running(section)) {
            boolean json = options.flag("json");
            if (!json) {
                printFirst(ensemble, out);
            }
            List<Finding> findings = Doctor.examine(ensemble.settings());
            long bad = findings.stream().filter(finding -> !finding.ok()).count();
            if (json) {
                out.write(AnswerMapper.get().writeValueAsString(new Report(bad == 0, findings)) + "\n");
            } else {
                findings.forEach(finding -> out.write(
                        "%-4s %-10s %s\n".formatted(finding.ok() ? "ok" : "BAD", finding.what(), finding.detail())));
            }
            if (bad > 0) {
                throw new CommandException(bad + " of " + findings.size() + " findings are bad");
            }
        }
    }

    /**
     * The findings as JSON.
     *
     * @param ok whether all are ok
     */
    private record Report(boolean ok, List<Finding> findings) {}
}
