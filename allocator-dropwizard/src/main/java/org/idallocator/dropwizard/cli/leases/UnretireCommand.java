package org.idallocator.dropwizard.cli.leases;

import java.time.Instant;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.ValueType;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;

/** {@code leases unretire}: puts a retired slot back into its pool. */
final class UnretireCommand extends SlotCommand {
    private static final String WAITS =
            "until then the slot serves nothing, and no slot of the pool does where the layout is changed or lost";

    UnretireCommand(Program<?> program) {
        super(
                program,
                "unretire",
                "puts a retired slot back into its pool",
                "leases unretire sno 17 --yes -c config/cluster.yml");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        super.addArguments(subparser);
        subparser
                .addArgument("--used-until")
                .metavar("TIME")
                .type(ValueType.time())
                .help("of the last ID that was issued elsewhere; " + WAITS);
        addYes(subparser);
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.openExisting(section);
    }

    @Override
    String execute(Cluster cluster, SlotArgument slot, Namespace options) {
        Optional<Instant> usedUntil = Optional.ofNullable(options.get("used_until"));
        if (needsConfirmation(options)) {
            confirm(cluster, question(slot.toString(), usedUntil, now()));
        }
        Instant floor = cluster.view().unretire(slot.scheme(), slot.number(), usedUntil.orElse(Instant.EPOCH));
        String times = floor.isAfter(now()) ? "; its next IDs have times from " + floor + " on" : "";
        return "back in the pool" + times + "\n";
    }

    static String question(String slot, Optional<Instant> usedUntil, Instant now) {
        boolean waits = usedUntil.filter(until -> until.isAfter(now)).isPresent();
        return "unretire " + slot + ", on which nothing else has issued IDs "
                + usedUntil.map(until -> "with times after " + until).orElse("while it was retired")
                + (waits ? "; " + WAITS : "");
    }
}
