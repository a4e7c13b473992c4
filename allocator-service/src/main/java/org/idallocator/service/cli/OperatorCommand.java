package org.idallocator.service.cli;

import io.dropwizard.configuration.YamlConfigurationFactory;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.OutputStream;
import java.io.PrintStream;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.service.cli.terminal.QuietLogging;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.config.AllocatorSection;

/** A command that reads a configuration file, does one thing, and prints nothing but its result on standard output. */
abstract class OperatorCommand extends Command {
    static final String FILE = "file";

    OperatorCommand(String name, String description) {
        super(name, description);
    }

    @Override
    public final void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        QuietLogging.start();
        PrintStream out = System.out;
        System.setOut(nowhere()); // the embedded ZooKeeper says what it tidies up
        try {
            run(section(bootstrap, namespace.getString(FILE)), namespace, out);
        } finally {
            System.setOut(out);
        }
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream());
    }

    abstract void run(AllocatorSection section, Namespace namespace, PrintStream out) throws Exception;

    private static AllocatorSection section(Bootstrap<?> bootstrap, String file) throws Exception {
        return new YamlConfigurationFactory<>(
                        AllocatorConfiguration.class,
                        bootstrap.getValidatorFactory().getValidator(),
                        bootstrap.getObjectMapper(),
                        "dw")
                .build(bootstrap.getConfigurationSourceProvider(), file)
                .allocator();
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        Failures.print(cli, namespace, error);
    }
}
