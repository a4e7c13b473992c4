package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.dropwizard.cli.FailurePrinter;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.config.BadFileReporter;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dropwizard's {@code server}, with a configuration file by default. Where an operator can mend what made the start
 * fail, standard error has one line.
 *
 * @param <C> the program's configuration
 */
final class ServeCommand<C extends Configuration> extends ServerCommand<C> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final Program<C> program;
    private final Consumer<C> beforeStart;

    /** The command of a program; {@code beforeStart} begins work beside the start, and returns at once. */
    ServeCommand(Application<C> application, Program<C> program, Consumer<C> beforeStart) {
        super(application);
        this.program = program;
        this.beforeStart = beforeStart;
    }

    @Override
    protected Argument addFileArgument(Subparser subparser) {
        subparser.epilog("examples:\n  server\n  server config/cluster.yml");
        return program.addFile(subparser);
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        ZooKeeperInUse.loadClient();
        readFilesOf(bootstrap);
        Map<String, Object> options = new HashMap<>(namespace.getAttrs());
        Program.file(namespace).ifPresent(file -> options.put(Program.FILE, file));
        super.run(bootstrap, new Namespace(options));
    }

    private static <T extends Configuration> void readFilesOf(Bootstrap<T> bootstrap) {
        bootstrap.setConfigurationFactoryFactory(BadFileReporter.wrap(bootstrap.getConfigurationFactoryFactory()));
    }

    /** Registers the metrics of the JVM as well. That takes a while, and no other command needs them. */
    @Override
    protected void run(Bootstrap<C> bootstrap, Namespace namespace, C configuration) throws Exception {
        LOG.info("starting with {}", namespace.getString(Program.FILE));
        beforeStart.accept(configuration);
        bootstrap.registerMetrics();
        super.run(bootstrap, namespace, configuration);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailurePrinter.print(cli.getStdErr(), error);
    }
}
