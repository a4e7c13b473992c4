package org.idallocator.service.cli.leases;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.cli.AllocatorCommand;
import org.idallocator.service.cli.CommandException;
import org.idallocator.service.cli.Output;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.cli.Waiting;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.settings.AllocatorSettings;

/** A subcommand that asks ZooKeeper about slots, and prints the answer for people or as JSON. */
abstract class ClusterCommand extends AllocatorCommand {
    private static final String JSON = "json";

    private final Function<AllocatorSection, Ensemble> opening;

    /** A subcommand; {@code opening} gives the ZooKeeper that it needs: one that runs, one on which a service has run, or any. */
    ClusterCommand(
            String name,
            String description,
            Function<AllocatorSection, Ensemble> opening,
            SectionReader<?> reader,
            Streams streams) {
        super(name, description, reader, streams);
        this.opening = opening;
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser
                .addArgument("--" + JSON)
                .action(Arguments.storeTrue())
                .help("print one line of JSON, as the admin port does");
    }

    /** What is done once ZooKeeper is there. Returns whole lines. */
    interface Action {
        String run(Queries zookeeper) throws IOException;
    }

    /**
     * Reads the call, before anything is opened for its sake.
     *
     * @param schemes all that are configured, at least one of them with slots
     */
    abstract Action prepared(List<Scheme<?>> schemes, Namespace options);

    @Override
    protected final void run(AllocatorSection section, Namespace options, Output out, Waiting waiting)
            throws IOException {
        Action action = prepared(withSlots(section.schemes()), options);
        boolean json = options.getBoolean(JSON);
        try (Ensemble ensemble = waiting.during(EMBEDDED, () -> opening.apply(section))) {
            if (!json) {
                announce(ensemble, out);
            }
            String awaited = ensemble.description() + ", to answer";
            try (ClusterView cluster = waiting.during(awaited, () -> ClusterView.connect(ensemble.settings()))) {
                out.write(action.run(new Queries(cluster, ensemble.settings(), json, waiting, awaited)));
            }
        }
    }

    private static List<Scheme<?>> withSlots(List<Scheme<?>> configured) {
        if (Schemes.leased(configured).isEmpty()) {
            throw new CommandException("no scheme with slots is configured, only "
                    + String.join(", ", configured.stream().map(Scheme::name).toList()));
        }
        return configured;
    }

    /** What ZooKeeper is asked, and how answers are printed. */
    record Queries(ClusterView cluster, AllocatorSettings settings, boolean json, Waiting waiting, String awaited) {

        <T> T ask(Function<ClusterView, T> question) {
            return waiting.during(awaited, () -> question.apply(cluster));
        }

        /** What was done with a slot, and how the slot is now. */
        String done(String what, SlotArgument slot) throws IOException {
            LeaseView view = ask(asked -> asked.lease(slot.scheme(), slot.number()));
            return json ? line(view) : what + LeaseText.slot(view, now());
        }

        static String line(Object value) throws IOException {
            return AnswerMapper.get().writeValueAsString(value) + "\n";
        }
    }
}
