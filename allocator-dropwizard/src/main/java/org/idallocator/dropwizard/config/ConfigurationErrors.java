package org.idallocator.dropwizard.config;

import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.UndefinedEnvironmentVariableException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a configuration file cannot be used, each error in one line. What the file has in the wrong place may be a
 * secret, and is left out.
 */
final class ConfigurationErrors {
    /** Dropwizard tells the name of the variable in its words alone. */
    private static final Pattern UNSET = Pattern.compile("Cannot resolve variable '([A-Za-z0-9_]+)'.*");

    /** What Jackson tells of a value of another type: the value itself, and which option has refused it. */
    private static final Pattern VALUE = Pattern.compile("(from \\w+ value) \\(.*|: not allowed when .*");

    /** Dropwizard's list of keys that may have been meant has a line for each. */
    private static final Pattern NEXT_LINE = Pattern.compile("\\s*\\R\\s*(- )?");

    private ConfigurationErrors() {}

    /** The errors that a failure of reading tells, one or more. */
    static List<String> of(Exception failure) {
        if (failure instanceof UndefinedEnvironmentVariableException) {
            return List.of(unset(String.valueOf(failure.getMessage())));
        }
        if (failure instanceof ConfigurationException wrong) {
            Throwable kind = wrong.getCause(); // Jackson's own, or none
            return wrong.getErrors().stream().map(error -> line(kind, error)).toList();
        }
        return List.of(line(failure, String.valueOf(failure.getMessage())));
    }

    private static String unset(String message) {
        Matcher unset = UNSET.matcher(message);
        return unset.matches()
                ? "the environment variable " + unset.group(1)
                        + " is not set, and the file, comments too, has no default for it"
                : "${ begins the name of no environment variable"; // it goes on to the next brace of the file
    }

    /** SnakeYAML and Jackson end their messages with the lines of the file. */
    private static String line(@Nullable Throwable kind, String error) {
        if (kind instanceof UnrecognizedPropertyException) {
            return NEXT_LINE.matcher(error).replaceAll(" ");
        }
        String first = error.strip().lines().findFirst().orElse("");
        return kind instanceof MismatchedInputException ? VALUE.matcher(first).replaceFirst("$1") : first;
    }
}
