package org.idallocator.dropwizard.cli;

import java.util.List;
import java.util.Map;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.api.Json;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** {@code doctor}: looks at what a replica with this configuration would meet. Changes nothing. */
public final class DoctorCommand extends AllocatorCommand {
    private static final int REMEDY_INDENT = 5;
    private static final Map<Check.Result, String> MARKS = Map.of(
            Check.Result.OK, "ok", Check.Result.WARN, "warn", Check.Result.FAIL, "FAIL", Check.Result.SKIPPED, "-");

    public DoctorCommand(Program<?> program) {
        super(
                program,
                "doctor",
                "Tells whether one more replica would serve, and if not, why. Changes nothing. Each line begins with ok, warn,"
                        + " FAIL, or - for what was not looked at. The remedy stands below. The status is 1 when a check fails.",
                "doctor --json -c config/cluster.yml",
                "doctor config/cluster.yml");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser.addArgument("--json").action(Arguments.storeTrue()).help("print the checks as one line of JSON");
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        boolean json = options.getBoolean("json");
        waiting.begin(EMBEDDED_ZOOKEEPER);
        try (ZooKeeperInUse zookeeper = ZooKeeperInUse.openRunning(section)) {
            if (!json) {
                announce(zookeeper, out);
            }
            List<Check> checks = Doctor.examine(zookeeper.settings(), Clock.system(), waiting::begin);
            long failed = checks.stream().filter(Check::failed).count();
            ZooKeeperSettings asked = zookeeper.settings().zookeeper();
            if (json) {
                out.write(Json.line(new Report(failed == 0, asked.connect(), asked.root(), checks)));
            } else {
                checks.forEach(check -> out.write(inWords(check)));
            }
            if (failed > 0) {
                throw new CommandException(failed + " of " + checks.size() + " checks failed");
            }
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
     * @param zookeeper the connect string, also of an embedded ZooKeeper
     * @param root the path below which everything is
     */
    private record Report(boolean ok, String zookeeper, String root, List<Check> checks) {}
}
