package org.idallocator.dropwizard.cli.leases;

import java.util.List;
import java.util.function.Function;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.Json;
import org.idallocator.dropwizard.cli.AllocatorCommand;
import org.idallocator.dropwizard.cli.CommandException;
import org.idallocator.dropwizard.cli.Output;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Waiting;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.jspecify.annotations.Nullable;

/** A subcommand that asks ZooKeeper about slots, and prints the answer for people or as JSON. */
abstract class ClusterCommand extends AllocatorCommand {
    static final String SCHEME = "scheme";

    ClusterCommand(Program<?> program, String name, String description, String... examples) {
        super(program, name, description, examples);
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help("print one line of JSON, as the admin port does");
    }

    /**
     * What a subcommand works with once ZooKeeper answers.
     *
     * @param view reads and changes the cluster
     * @param settings the allocator's settings, with the address of that ZooKeeper
     * @param waiting tells people what the command waits for
     */
    record Cluster(ClusterView view, AllocatorSettings settings, Waiting waiting) {}

    /**
     * What the subcommand prints.
     *
     * @param json becomes JSON, for programs
     * @param text whole lines, for people
     */
    record Answer(Object json, String text) {}

    /** Reads and checks the call before anything is opened; returns the action to run. */
    abstract Function<Cluster, Answer> prepare(List<Scheme<?>> schemes, Namespace options);

    /**
     * Opens the ZooKeeper that is asked: one that runs, one that was used before, or any, which is started where none
     * runs.
     */
    abstract ZooKeeperInUse open(AllocatorSection section);

    @Override
    protected final void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        Function<Cluster, Answer> action = prepare(section.schemes(), options);
        boolean json = options.getBoolean("json");
        waiting.begin(EMBEDDED_ZOOKEEPER);
        try (ZooKeeperInUse zookeeper = open(section)) {
            if (!json) {
                announce(zookeeper, out);
            }
            waiting.begin(zookeeper.description() + ", to answer");
            try (ClusterView view = ClusterView.connect(zookeeper.settings())) {
                Answer answer = action.apply(new Cluster(view, zookeeper.settings(), waiting));
                out.write(json ? Json.line(answer.json()) : answer.text());
            }
        }
    }

    /** The scheme that a call names; throws {@link CommandException} when it is not configured, or has no slots. */
    static Scheme<?> scheme(List<Scheme<?>> configured, Namespace options) {
        return CommandException.asMisuse(() -> Schemes.leased(options.getString(SCHEME), configured));
    }

    static @Nullable String timeLeft(LeaseView view) {
        return view.timeLeftMillis() == null ? null : view.timeLeftMillis() / 1_000.0 + " s";
    }
}
