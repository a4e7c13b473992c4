package org.idallocator.service.cli;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.health.FatalErrors;

/**
 * Dropwizard's {@code server}, which starts the embedded default without a file, says in a line why it cannot, and ends when
 * the JVM is out of memory.
 */
public final class ServeCommand<T extends Configuration> extends ServerCommand<T> {

    public ServeCommand(Application<T> application) {
        super(application);
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        return super.addFileArgument(subparser).setDefault(ConfigurationSource.BUILT_IN);
    }

    /** Logging is configured by now. */
    @Override
    protected void run(Bootstrap<T> bootstrap, Namespace namespace, T configuration) throws Exception {
        FatalErrors.install();
        super.run(bootstrap, namespace, configuration);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        Failures.print(cli, namespace, error);
    }
}
