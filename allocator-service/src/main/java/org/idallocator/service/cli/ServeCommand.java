package org.idallocator.service.cli;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import java.util.function.Consumer;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dropwizard's {@code server}, with a configuration file by default. A start that fails is one line on standard error.
 *
 * @param <C> the program's configuration
 */
public final class ServeCommand<C extends Configuration> extends ServerCommand<C> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final String defaultFile;
    private final Consumer<C> ahead;

    /**
     * The command of a program.
     *
     * @param defaultFile the path that is read when no file is named
     * @param ahead begins what goes on beside the start, and returns at once
     */
    public ServeCommand(Application<C> application, String defaultFile, Consumer<C> ahead) {
        super(application);
        this.defaultFile = defaultFile;
        this.ahead = ahead;
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        ConfigFile.addOptionTo(subparser);
        return super.addFileArgument(subparser).setDefault(defaultFile);
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser.epilog("""
                examples:
                  server
                  server config/cluster.yml""");
    }

    /** Registers the metrics of the JVM, which take a while and are for no other command. */
    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        bootstrap.registerMetrics();
        super.run(bootstrap, ConfigFile.resolved(namespace));
    }

    @Override
    protected void run(Bootstrap<C> bootstrap, Namespace namespace, C configuration) throws Exception {
        LOG.info("starting with {}", namespace.getString("file"));
        ahead.accept(configuration);
        super.run(bootstrap, namespace, configuration);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        CommandException.print(cli, namespace, error);
    }
}
