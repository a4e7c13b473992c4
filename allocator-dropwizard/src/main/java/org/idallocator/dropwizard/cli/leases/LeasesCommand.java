package org.idallocator.dropwizard.cli.leases;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;
import org.idallocator.dropwizard.cli.AllocatorCommand;
import org.idallocator.dropwizard.cli.FailurePrinter;
import org.idallocator.dropwizard.cli.Program;

/** {@code leases}: a subcommand for each thing that operators do with slots. */
public final class LeasesCommand extends Command {
    private static final String SUBCOMMAND = "subcommand";

    private final List<AllocatorCommand> subcommands;

    public LeasesCommand(Program<?> program) {
        super("leases", "Lists slots as ZooKeeper has them, or changes them.");
        this.subcommands = List.of(
                new ListCommand(program),
                new ShowCommand(program),
                new MembersCommand(program),
                new ReleaseCommand(program),
                new RetireCommand(program),
                new UnretireCommand(program),
                new RelayoutCommand(program));
    }

    @Override
    public void configure(Subparser subparser) {
        Subparsers actions = subparser.addSubparsers().title("actions").metavar("ACTION");
        subcommands.forEach(command -> command.configure(actions.addParser(command.getName())
                .setDefault(SUBCOMMAND, command)
                .help(command.getDescription())
                .description(command.getDescription())
                .defaultHelp(true)));
        subparser.epilog("Each action has a --help of its own.\n\nexamples:\n  leases list config/cluster.yml");
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace options) throws Exception {
        options.<AllocatorCommand>get(SUBCOMMAND).run(bootstrap, options);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailurePrinter.print(cli.getStdErr(), error);
    }
}
