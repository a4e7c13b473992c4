package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.FailedCommand;
import org.idallocator.service.cli.FileArgument;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.config.AllocatorConfiguration;

/** Dropwizard's {@code check}. Reading the file checks all of it, the allocator's section too. */
final class CheckCommand extends io.dropwizard.core.cli.CheckCommand<AllocatorConfiguration> {

    private final StandardStreams streams;

    CheckCommand(Application<AllocatorConfiguration> application, StandardStreams streams) {
        super(application);
        this.streams = streams;
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        return FileArgument.addOptionTo(
                super.addFileArgument(subparser).setDefault(ConfigurationSource.BUILT_IN), subparser);
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser.epilog("""
                examples:
                  check
                  check config/cluster.yml""");
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        super.run(bootstrap, FileArgument.resolved(namespace, Optional.of(ConfigurationSource.BUILT_IN)));
    }

    /** Dropwizard's own logs its answer, and does not notice when standard output takes no more. */
    @Override
    protected void run(
            Bootstrap<AllocatorConfiguration> bootstrap, Namespace namespace, AllocatorConfiguration configuration)
            throws IOException {
        Output.untilEnough(() -> {
            Output out = new Output(streams.out());
            out.write("Configuration is OK\n");
            out.flush();
        });
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
