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
 * Says why a configuration file cannot be used, one line for each error. Leaves out text of the file, because that may
 * be a secret in the wrong place.
 */
final class ConfigurationErrors {
    /** Gets the name of an unset variable, which Dropwizard tells only in words. */
    private static final Pattern UNSET = Pattern.compile("Cannot resolve variable '([A-Za-z0-9_]+)'.*");

    /** The parts of Jackson's message to leave out: the value of the wrong type, and the option that refuses it. */
    private static final Pattern VALUE = Pattern.compile("(from \\w+ value) \\(.*|: not allowed when .*");

    /** The line breaks in Dropwizard's list of the keys that may have been meant. */
    private static final Pattern NEXT_LINE = Pattern.compile("\\s*\\R\\s*(- )?");

    private ConfigurationErrors() {}

    /** The errors, one or more, that a failure to read the file tells. */
    static List<String> of(Exception failure) {
        if (failure instanceof UndefinedEnvironmentVariableException) {
            return List.of(unset(String.valueOf(failure.getMessage())));
        }
        if (failure instanceof ConfigurationException wrong) {
            Throwable kind = wrong.getCause(); // an exception of Jackson's, or null
            return wrong.getErrors().stream().map(error -> line(kind, error)).toList();
        }
        return List.of(line(failure, String.valueOf(failure.getMessage())));
    }

    private static String unset(String message) {
        Matcher unset = UNSET.matcher(message);
        return unset.matches()
                ? "the environment variable " + unset.group(1)
                        + " is not set, and the file, comments too, has no default for it"
                : "${ begins the name of no environment variable"; // the rest of the message is text of the file
    }

    /** One line of an error. SnakeYAML and Jackson add lines of the file, which are cut off. */
    private static String line(@Nullable Throwable kind, String error) {
        if (kind instanceof UnrecognizedPropertyException) {
            return NEXT_LINE.matcher(error).replaceAll(" ");
        }
        String first = error.strip().lines().findFirst().orElse("");
        return kind instanceof MismatchedInputException ? VALUE.matcher(first).replaceFirst("$1") : first;
    }
}
