package org.idallocator.service.cli.leases;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.cli.TimeArgument;
import org.idallocator.service.embedded.Ensemble;

/** {@code leases unretire}: puts a retired slot back into its pool. */
final class UnretireCommand extends ClusterCommand {
    private static final String USED_UNTIL = "used_until";

    UnretireCommand(SectionReader<?> reader, Streams streams) {
        super("unretire", "puts a retired slot back into its pool", Ensemble::existing, reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        SlotArgument.addTo(subparser);
        super.configure(subparser);
        subparser
                .addArgument("--used-until")
                .dest(USED_UNTIL)
                .metavar("TIME")
                .type(new TimeArgument(""))
                .help("of the last ID that was issued elsewhere");
        SlotArgument.addYesTo(subparser);
        subparser.epilog("""
                Until that time the slot serves nothing, and no slot of the pool does where
                the layout is changed or lost.

                examples:
                  leases unretire sno 17 --yes -c config/cluster.yml""");
    }

    @Override
    Action prepared(List<Scheme<?>> schemes, Namespace options) {
        SlotArgument slot = SlotArgument.of(schemes, options);
        Optional<Instant> usedUntil = Optional.ofNullable(options.get(USED_UNTIL));
        boolean asks = slot.asks(getName(), options);
        return zookeeper -> {
            if (asks) {
                SlotArgument.confirm(question(slot.toString(), usedUntil, now()));
            }
            Instant floor = zookeeper.ask(
                    cluster -> cluster.unretire(slot.scheme(), slot.number(), usedUntil.orElse(Instant.EPOCH)));
            String times = floor.isAfter(now()) ? "; its next IDs have times from " + floor + " on" : "";
            return zookeeper.done("back in the pool" + times + "\n", slot);
        };
    }

    static String question(String slot, Optional<Instant> usedUntil, Instant now) {
        String wait = usedUntil
                .filter(until -> until.isAfter(now))
                .map(until ->
                        "; until then the slot serves nothing, and no slot of the pool does where the layout is changed or"
                                + " lost")
                .orElse("");
        return "unretire " + slot + ", on which nothing else has issued IDs "
                + usedUntil.map(until -> "with times after " + until).orElse("while it was retired") + wait;
    }
}
