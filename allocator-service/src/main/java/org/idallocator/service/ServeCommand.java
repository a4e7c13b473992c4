package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.service.cli.FailedCommand;
import org.idallocator.service.cli.FileArgument;
import org.idallocator.service.failures.AfterFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dropwizard's {@code server}. Without a file it takes the built-in configuration, and a start that fails is one line. */
final class ServeCommand<T extends Configuration> extends ServerCommand<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final Runnable guard;
    private final Function<T, AutoCloseable> ahead;

    /**
     * The command of an application.
     *
     * @param guard is called after logging was configured, and before the service starts
     * @param ahead is called after that, and begins what goes on beside the start; it is closed where the start fails
     */
    ServeCommand(Application<T> application, Runnable guard, Function<T, AutoCloseable> ahead) {
        super(application);
        this.guard = guard;
        this.ahead = ahead;
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
                  server
                  server config/cluster.yml""");
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        bootstrap.registerMetrics();
        super.run(bootstrap, FileArgument.resolved(namespace, Optional.of(ConfigurationSource.BUILT_IN)));
    }

    @Override
    protected void run(Bootstrap<T> bootstrap, Namespace namespace, T configuration) throws Exception {
        LOG.info("starting with {}", namespace.getString("file"));
        guard.run();
        AutoCloseable begun = ahead.apply(configuration);
        try {
            super.run(bootstrap, namespace, configuration);
        } catch (Exception e) {
            AfterFailure.close(e, begun);
            throw e;
        }
    }

    /** Does what the overridden method does, but leaves it to {@link #onError} to tell of a failure: once, and in few words. */
    @Override
    protected void run(Environment environment, Namespace namespace, T configuration) throws Exception {
        Server server = configuration.getServerFactory().build(environment);
        try {
            server.addEventListener(new CleanUp());
            cleanupAsynchronously();
            server.start();
        } catch (Exception e) {
            AfterFailure.close(e, server::stop);
            AfterFailure.close(e, this::cleanup);
            throw TakenPort.in(configuration.getServerFactory(), e).orElse(e);
        }
        keepAlive(server);
    }

    /** Keeps the process until the server ends: not all of a server's threads do. */
    private static void keepAlive(Server server) {
        new Thread(
                        () -> {
                            try {
                                server.join();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "dw-awaiter")
                .start();
    }

    private final class CleanUp implements LifeCycle.Listener {
        @Override
        public void lifeCycleStopped(LifeCycle event) {
            cleanup();
        }
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
