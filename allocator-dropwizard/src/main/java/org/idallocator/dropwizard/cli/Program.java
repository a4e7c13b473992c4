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
 * The program whose commands these are. A command is told its configuration file as its last argument, or with
 * {@code -c FILE}, which wins.
 *
 * @param type the class of the program's configuration
 * @param section gives the allocator's section of a configuration
 * @param defaultFile the path that is read when no file is named; when empty, one has to be
 * @param streams what the commands read and write
 */
public record Program<C extends Configuration>(
        Class<C> type, Function<C, AllocatorSection> section, Optional<String> defaultFile, Streams streams) {
    /** The name under which Dropwizard's own commands look for the file. */
    public static final String FILE = "file";

    /** The same for a command that must be told its file. */
    Program<C> withoutDefault() {
        return new Program<>(type, section, Optional.empty(), streams);
    }

    /** Adds the file to a command. */
    public Argument addFile(Subparser subparser) {
        subparser.addArgument("-c", "--config").metavar("FILE").help("the same, wherever it is easier to write");
        Argument file = subparser.addArgument(FILE).nargs("?").help("configuration");
        defaultFile.ifPresent(file::setDefault);
        return file;
    }

    /**
     * The file of a call, which may be in the place of a scheme; empty where the call names none, and there is no
     * default.
     */
    public static Optional<String> file(Namespace options) {
        Optional<String> word = Optional.ofNullable(options.getString("scheme")).filter(Program::isFile);
        return Optional.ofNullable(options.getString("config"))
                .or(() -> word)
                .or(() -> Optional.ofNullable(options.getString(FILE)));
    }

    /** Whether a word is a file: the names of schemes have neither dot nor slash. */
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
