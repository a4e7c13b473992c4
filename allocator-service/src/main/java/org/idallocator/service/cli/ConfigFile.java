package org.idallocator.service.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** How every command is told its configuration file: as its last argument, or with {@code -c FILE}, which wins. */
public final class ConfigFile {
    /** The name under which Dropwizard's own commands look for the file. */
    private static final String FILE = "file";

    private static final String OPTION = "config";

    private ConfigFile() {}

    /** Adds the argument and the option to a command. */
    public static void addTo(Subparser subparser, Optional<String> defaultFile) {
        Argument argument = subparser.addArgument(FILE).nargs("?").help("configuration");
        defaultFile.ifPresent(argument::setDefault);
        addOptionTo(subparser);
    }

    /** Adds the option to a command that has the argument already. */
    public static void addOptionTo(Subparser subparser) {
        subparser
                .addArgument("-c", "--config")
                .dest(OPTION)
                .metavar("FILE")
                .help("the same, wherever it is easier to write");
    }

    /** The file of a call; empty where the call names none, and there is no default. */
    public static Optional<String> of(Namespace namespace) {
        return Stream.of(
                        given(namespace, OPTION),
                        given(namespace, "scheme").filter(ConfigFile::isFile),
                        given(namespace, "slot").filter(ConfigFile::isFile),
                        given(namespace, FILE))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * An argument that stands in front of the file and may be left out: then the file is in its place. The names of schemes and slots
     * have neither dot nor slash.
     */
    public static Optional<String> before(Namespace namespace, String name) {
        return given(namespace, name).filter(word -> !isFile(word));
    }

    private static boolean isFile(String word) {
        return word.contains(".") || word.contains("/");
    }

    private static Optional<String> given(Namespace namespace, String name) {
        return Optional.ofNullable(namespace.getString(name));
    }

    /** The same call for Dropwizard's own commands, with the file where they look for it. */
    public static Namespace resolved(Namespace namespace) {
        Map<String, Object> values = new HashMap<>(namespace.getAttrs());
        of(namespace).ifPresent(file -> values.put(FILE, file));
        return new Namespace(values);
    }
}
