package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.FailedCommand;
import org.idallocator.service.cli.FileArgument;

/** Dropwizard's {@code server}. Without a file it takes the built-in configuration, and a start that fails is one line. */
final class ServeCommand<T extends Configuration> extends ServerCommand<T> {

    private final Runnable guard;

    /** {@code guard} is called after logging was configured, and before the service starts. */
    ServeCommand(Application<T> application, Runnable guard) {
        super(application);
        this.guard = guard;
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        return FileArgument.addOptionTo(
                super.addFileArgument(subparser).setDefault(ConfigurationSource.BUILT_IN), subparser);
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        super.run(bootstrap, FileArgument.resolved(namespace, Optional.of(ConfigurationSource.BUILT_IN)));
    }

    @Override
    protected void run(Bootstrap<T> bootstrap, Namespace namespace, T configuration) throws Exception {
        guard.run();
        super.run(bootstrap, namespace, configuration);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
