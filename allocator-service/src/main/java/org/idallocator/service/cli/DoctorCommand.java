package org.idallocator.service.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.settings.AllocatorSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code doctor}: looks at what a replica with this configuration would meet. Changes nothing. */
public final class DoctorCommand extends AllocatorCommand {
    private static final Logger LOG = LoggerFactory.getLogger(DoctorCommand.class);
    private static final int REMEDY_INDENT = 5;
    private static final Map<Check.Result, String> MARKS = Map.of(
            Check.Result.OK, "ok", Check.Result.WARN, "warn", Check.Result.FAIL, "FAIL", Check.Result.SKIPPED, "-");

    public DoctorCommand(SectionReader<?> reader, Streams streams) {
        super(
                "doctor",
                "Tells whether one more replica would serve, and if not, why. Changes nothing.",
                reader,
                streams);
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser.addArgument("--json").action(Arguments.storeTrue()).help("print the checks as one line of JSON");
        subparser.epilog("""
                Each line begins with ok, warn, FAIL, or - for what was not looked at. The
                remedy stands below. The status is 1 when a check fails.

                examples:
                  doctor --json -c config/cluster.yml
                  doctor config/cluster.yml""");
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) throws IOException {
        boolean json = options.getBoolean("json");
        Report report = examined(section, json ? Optional.empty() : Optional.of(out), waiting);
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
    private static Report examined(AllocatorSection section, Optional<Output> people, Waiting waiting) {
        try (Ensemble ensemble = waiting.during(EMBEDDED, () -> Ensemble.existing(section))) {
            people.ifPresent(out -> announce(ensemble, out));
            List<Check> checks = Doctor.examine(ensemble.settings(), Clock.system(), waiting::begin);
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
        String line = "%-4s %-10s %s\n".formatted(MARKS.get(check.result()), check.name(), check.seen());
        String remedy = check.remedy();
        return remedy == null ? line : line + ("remedy: " + remedy).indent(REMEDY_INDENT);
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
