package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.Failures;

/** Dropwizard's {@code server}, which starts the embedded default without a file and says in a line why it cannot. */
final class ServeCommand<T extends Configuration> extends ServerCommand<T> {

    private final Runnable guard;

    /** {@code guard} is called before the service starts, when logging is configured. */
    ServeCommand(Application<T> application, Runnable guard) {
        super(application);
        this.guard = guard;
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        return super.addFileArgument(subparser).setDefault(ConfigurationSource.BUILT_IN);
    }

    @Override
    protected void run(Bootstrap<T> bootstrap, Namespace namespace, T configuration) throws Exception {
        guard.run();
        super.run(bootstrap, namespace, configuration);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        Failures.print(cli, namespace, error);
    }
}
