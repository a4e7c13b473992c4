package org.idallocator.service.cli.completion;

import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.text.Forms;

/** The values of arguments and options, by the names under which commands look for them. */
final class Values {
    private static final String PARAMETER = "parameter ";

    private Values() {}

    /** The values that are known beforehand; none where there are too many, or where it is a file. */
    static List<String> of(Taken taken) {
        if (!taken.choices().isEmpty()) {
            return taken.choices();
        }
        if (taken.dest().startsWith(PARAMETER)) {
            return ofParameter(taken.dest().substring(PARAMETER.length()));
        }
        return switch (taken.dest()) {
            case "scheme" -> Schemes.names();
            case "form" -> Forms.names(Schemes.all());
            default -> List.of();
        };
    }

    /** Whether it is the configuration file. */
    static boolean file(Taken taken) {
        return taken.dest().equals("file") || taken.dest().equals("config");
    }

    /** Those words of what is allowed that are allowed. */
    private static List<String> ofParameter(String name) {
        return Schemes.all().stream()
                .flatMap(scheme -> scheme.parameter().stream())
                .filter(parameter -> parameter.name().equals(name))
                .flatMap(parameter -> Stream.of(parameter.allowed().split("\\W+"))
                        .filter(word -> word.matches("[a-z]+") && reads(parameter, word)))
                .distinct()
                .toList();
    }

    private static boolean reads(Parameter parameter, String word) {
        try {
            return parameter.parse().apply(word) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
