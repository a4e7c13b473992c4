package org.idallocator.service.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.settings.AllocatorSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code doctor}: looks at what a replica with this configuration would meet. Changes nothing. */
public final class DoctorCommand extends OperatorCommand {
    private static final Logger LOG = LoggerFactory.getLogger(DoctorCommand.class);
    private static final int REMEDY_INDENT = 5;
    private static final String EPILOG = """
            Each line begins with ok, warn, FAIL, or - for what was not looked at.
            Below a warn or a FAIL stands the remedy, with the commands.

            The status is 0 when one more replica would serve all schemes at
            once, also with warnings; 1 when something fails; 2 for a call that
            is not understood.

            --json prints one line:
              {"ok":false, "zookeeper":"zk1:2181", "root":"/id-allocator",
               "checks":[{"name":"clock", "result":"fail", "seen":"...",
                          "remedy":"...", "reason":"clock-skew"}]}
            The result is ok, warn, fail or skipped. What failed has a reason:
            the state that a replica would be in.

            examples:
              doctor config/cluster.yml
              doctor --json -c config/cluster.yml""";

    public DoctorCommand(SectionReader<?> reader, StandardStreams streams) {
        super("doctor", "Tells whether one more replica would serve, and if not, why", reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help("print the checklist as one line of JSON, see below");
        reader().addOption(subparser);
        subparser.epilog(EPILOG);
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, Output out, Steps steps) throws IOException {
        boolean json = options.flag("json");
        Report report = examined(section, json ? Optional.empty() : Optional.of(out), steps);
        if (json) {
            out.write(AnswerMapper.get().writeValueAsString(report) + "\n");
        } else {
            report.checks().forEach(check -> out.write(inWords(check)));
        }
        long failed = report.checks().stream().filter(Check::failed).count();
        if (failed > 0) {
            throw new CommandException(failed + " of " + report.checks().size() + " checks failed");
        }
    }

    /** {@code people} are told first which ZooKeeper that is. */
    private static Report examined(AllocatorSection section, Optional<Output> people, Steps steps) throws IOException {
        try (Ensemble ensemble = steps.awaiting(EMBEDDED, () -> Ensemble.running(section))) {
            if (people.isPresent()) {
                printFirst(ensemble, people.get());
            }
            List<Check> checks = Doctor.examine(ensemble.settings(), Clock.system(), steps::begin);
            steps.end();
            return Report.of(ensemble.settings().zookeeper().connect(), ensemble.settings(), checks);
        } catch (EmbeddedStartException e) {
            LOG.debug("no embedded ZooKeeper to examine", e);
            String[] seenAndRemedy = String.valueOf(e.getMessage()).split("; ", 2);
            List<Check> checks = Doctor.withoutEmbedded(
                    section.settings(), seenAndRemedy[0], seenAndRemedy[seenAndRemedy.length - 1]);
            return Report.of("", section.settings(), checks);
        }
    }

    private static String inWords(Check check) {
        String line = "%-4s %-10s %s\n".formatted(mark(check.result()), check.name(), check.seen());
        String remedy = check.remedy();
        return remedy == null ? line : line + ("remedy: " + remedy).indent(REMEDY_INDENT);
    }

    private static String mark(Check.Result result) {
        return switch (result) {
            case OK -> "ok";
            case WARN -> "warn";
            case FAIL -> "FAIL";
            case SKIPPED -> "-";
        };
    }

    /**
     * The checklist as JSON.
     *
     * @param ok whether nothing failed
     * @param zookeeper the connect string, also of an embedded ZooKeeper; empty where none runs
     * @param root the path below which everything is
     */
    private record Report(boolean ok, String zookeeper, String root, List<Check> checks) {
        static Report of(String connect, AllocatorSettings settings, List<Check> checks) {
            boolean ok = checks.stream().noneMatch(Check::failed);
            return new Report(ok, connect, settings.zookeeper().root(), checks);
        }
    }
}
