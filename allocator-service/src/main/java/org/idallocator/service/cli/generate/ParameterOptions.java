package org.idallocator.service.cli.generate;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.UsageException;

/** The parameters of all schemes as options, one for each name that a parameter has. */
public final class ParameterOptions {
    private static final String DEST_PREFIX = "parameter ";

    private ParameterOptions() {}

    /** Adds the options to a command. */
    public static void addTo(Subparser subparser) {
        for (String name : names()) {
            subparser
                    .addArgument("--" + name)
                    .dest(DEST_PREFIX + name)
                    .metavar("VALUE")
                    .help(help(name));
        }
    }

    private static List<String> names() {
        return Schemes.all().stream()
                .flatMap(scheme -> scheme.parameter().stream())
                .map(Parameter::name)
                .distinct()
                .toList();
    }

    private static String help(String name) {
        return Schemes.all().stream()
                .flatMap(scheme -> named(scheme, name).map(own -> scheme.name() + ": " + own.allowed()).stream())
                .collect(Collectors.joining("; "));
    }

    /** Whether what the command looks for under this name is none of these options, or one that the scheme has. */
    public static boolean fits(Scheme<?> scheme, String dest) {
        return !dest.startsWith(DEST_PREFIX)
                || named(scheme, dest.substring(DEST_PREFIX.length())).isPresent();
    }

    private static Optional<Parameter> named(Scheme<?> scheme, String name) {
        return scheme.parameter().filter(parameter -> parameter.name().equals(name));
    }

    /** The variant that was asked for, or the default one; throws {@link UsageException} for a parameter that the scheme does not have. */
    public static Variant variant(Scheme<?> scheme, CommandOptions options) {
        for (String name : names()) {
            if (options.text(DEST_PREFIX + name).isPresent()
                    && named(scheme, name).isEmpty()) {
                throw new UsageException(scheme.name() + " has no parameter " + name + "; it has "
                        + scheme.parameter().map(Parameter::name).orElse("none"));
            }
        }
        return scheme.parameter()
                .flatMap(parameter -> options.value(DEST_PREFIX + parameter.name(), parameter.parse()))
                .orElse(scheme.defaultVariant());
    }
}
