package org.idallocator.service.cli;

import java.io.IOException;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.Securing;

/** {@code secure}: operators run it once after all replicas of a root have got credentials for ZooKeeper. */
public final class SecureCommand extends OperatorCommand {
    private static final String FENCE = "fence";

    public SecureCommand(SectionReader<?> reader, StandardStreams streams) {
        super(
                "secure",
                "Takes the nodes in ZooKeeper from strangers: only who has the credentials may read and write them",
                reader.withoutDefault(),
                streams);
    }

    @Override
    public void configure(Subparser subparser) {
        reader().addOption(subparser);
        subparser
                .addArgument("--" + FENCE)
                .action(Arguments.storeTrue())
                .help("go on although replicas without credentials run: they lose their slots, and stop issuing");
        subparser.epilog("""
                Give all replicas the same credentials first, and start them anew.
                The command can be run again.

                examples:
                  secure config/cluster.yml""");
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, Output out, Steps steps) throws IOException {
        try (Ensemble ensemble = steps.awaiting(EMBEDDED, () -> Ensemble.existing(section))) {
            printFirst(ensemble, out);
            Securing.Report done = steps.awaiting(
                    ensemble.description() + ", to say which nodes strangers may write",
                    () -> Securing.run(ensemble.settings(), options.flag(FENCE), steps::goOn));
            out.write(done.secured() + " of " + done.nodes() + " nodes of "
                    + ensemble.settings().zookeeper().root()
                    + " were taken from strangers, who may write none of them now\n");
        }
    }
}
