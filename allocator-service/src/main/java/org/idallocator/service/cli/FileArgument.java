package org.idallocator.service.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.terminal.UsageException;

/** How every command is told its configuration file: as its last argument, or with {@code -c FILE}. */
public final class FileArgument {
    /** The name under which Dropwizard's own commands look for the file. */
    private static final String FILE = "file";

    private static final String OPTION = "config";

    /** The arguments that may stand in front of the file. */
    private static final List<String> IN_FRONT = List.of("scheme", "slot");

    private FileArgument() {}

    /** Adds the argument and the option to a command. */
    public static void addTo(Subparser subparser, Optional<String> defaultFile) {
        addOptionTo(describe(subparser.addArgument(FILE).nargs("?"), defaultFile), subparser);
    }

    /** Adds the option to a command that has the argument already. Returns the argument. */
    public static Argument addOptionTo(Argument argument, Subparser subparser) {
        subparser
                .addArgument("-c", "--config")
                .dest(OPTION)
                .metavar("FILE")
                .help("the same, wherever it is easier to write");
        return argument;
    }

    private static Argument describe(Argument argument, Optional<String> defaultFile) {
        defaultFile.ifPresent(argument::setDefault); // Dropwizard adds it to the help
        return argument.help("configuration file");
    }

    /**
     * The words of a call that may stand in front of the file and be left out, in order. The names of schemes and slots have
     * neither dot nor slash: a word that has one is the file.
     */
    static List<String> words(Namespace namespace) {
        return IN_FRONT.stream()
                .map(namespace::getString)
                .filter(Objects::nonNull)
                .filter(word -> !isFile(word))
                .toList();
    }

    private static boolean isFile(String word) {
        return word.contains(".") || word.contains("/");
    }

    /** The files that a call names in front, and under these names. */
    private static Stream<String> named(Namespace namespace, String... others) {
        return Stream.concat(
                IN_FRONT.stream()
                        .map(namespace::getString)
                        .filter(Objects::nonNull)
                        .filter(FileArgument::isFile),
                Stream.of(others).map(namespace::getString).filter(Objects::nonNull));
    }

    /**
     * The file of a call.
     *
     * @throws UsageException when the call names two
     */
    public static Optional<String> of(Namespace namespace, Optional<String> defaultFile) {
        List<String> named = named(namespace, FILE, OPTION)
                .filter(file -> !defaultFile.equals(Optional.of(file)))
                .distinct()
                .toList();
        if (named.size() > 1) {
            throw new UsageException("name one configuration file: " + String.join(" or ", named));
        }
        return named.stream().findFirst().or(() -> defaultFile);
    }

    /** The same call for Dropwizard's own commands, with the file where they look for it. */
    public static Namespace resolved(Namespace namespace, Optional<String> defaultFile) {
        Map<String, Object> values = new HashMap<>(namespace.getAttrs());
        of(namespace, defaultFile).ifPresent(file -> values.put(FILE, file));
        return new Namespace(values);
    }

    /** What a message about a call's file begins with. */
    static String shown(Namespace namespace) {
        return named(namespace, OPTION, FILE).findFirst().orElse("the configuration");
    }
}
