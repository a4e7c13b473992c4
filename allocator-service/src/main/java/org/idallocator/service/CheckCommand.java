package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.FailedCommand;
import org.idallocator.service.config.AllocatorConfiguration;

/** Dropwizard's {@code check}, which here also checks the allocator's section, and whether its values go together. */
final class CheckCommand extends io.dropwizard.core.cli.CheckCommand<AllocatorConfiguration> {

    CheckCommand(Application<AllocatorConfiguration> application) {
        super(application);
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        return super.addFileArgument(subparser).setDefault(ConfigurationSource.BUILT_IN);
    }

    @Override
    protected void run(
            Bootstrap<AllocatorConfiguration> bootstrap, Namespace namespace, AllocatorConfiguration configuration)
            throws Exception {
        configuration.allocator().settings();
        super.run(bootstrap, namespace, configuration);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
