package org.idallocator.dropwizard.cli;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.config.BadFileReporter;

/**
 * A program, as its commands need it. A call names its configuration file as the last argument or with {@code -c FILE};
 * {@code -c} wins.
 *
 * @param type the class of the program's configuration
 * @param section gets the allocator's section out of a configuration
 * @param defaultFile the path of the file to read when a call names none; empty where a call has to name one
 * @param streams what the commands read and write
 */
public record Program<C extends Configuration>(
        Class<C> type, Function<C, AllocatorSection> section, Optional<String> defaultFile, Streams streams) {
    /** The name of the argument under which Dropwizard's own commands look for the file. */
    public static final String FILE = "file";

    /** The same program for a command that must be told its file. */
    Program<C> withoutDefault() {
        return new Program<>(type, section, Optional.empty(), streams);
    }

    /** Adds the arguments for the file to a command. */
    public Argument addFile(Subparser subparser) {
        subparser.addArgument("-c", "--config").metavar("FILE").help("the same, wherever it is easier to write");
        Argument file = subparser.addArgument(FILE).nargs("?").help("configuration");
        defaultFile.ifPresent(file::setDefault);
        return file;
    }

    /**
     * The file that a call names, which may stand in the place of a scheme; else the default; empty where there is
     * neither.
     */
    public static Optional<String> file(Namespace options) {
        Optional<String> word = Optional.ofNullable(options.getString("scheme")).filter(Program::isFile);
        return Optional.ofNullable(options.getString("config"))
                .or(() -> word)
                .or(() -> Optional.ofNullable(options.getString(FILE)));
    }

    /** Whether a word is a file and not a scheme: names of schemes have neither a dot nor a slash. */
    public static boolean isFile(String word) {
        return word.contains(".") || word.contains("/");
    }

    /** The allocator's section of the file that a call names. */
    AllocatorSection read(Bootstrap<?> bootstrap, Namespace options) throws IOException, ConfigurationException {
        String file = file(options).orElseThrow(() -> CommandException.misuse("name a configuration file"));
        return section.apply(type.cast(parse(bootstrap, file)));
    }

    private static <T extends Configuration> T parse(Bootstrap<T> bootstrap, String file)
            throws IOException, ConfigurationException {
        return BadFileReporter.wrap(bootstrap.getConfigurationFactoryFactory())
                .create(
                        bootstrap.getApplication().getConfigurationClass(),
                        bootstrap.getValidatorFactory().getValidator(),
                        bootstrap.getObjectMapper(),
                        "dw")
                .build(bootstrap.getConfigurationSourceProvider(), file);
    }
}
