package org.idallocator.service.config;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.UndefinedEnvironmentVariableException;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a configuration file cannot be used, each error in one line. What the file has in the wrong place may be a secret, and is
 * left out.
 */
public final class ConfigurationErrors {
    private static final Pattern UNSET = Pattern.compile("Cannot resolve variable '([A-Za-z0-9_]+)'.*");

    private ConfigurationErrors() {}

    /**
     * The errors that a failure tells; empty when it is about something else. Bad values of a file come as a {@link
     * ConfigurationException}, and two mistakes in a file are known by Dropwizard's and Jackson's words alone. An {@link
     * IllegalArgumentException} that comes otherwise is a mistake of the program.
     */
    public static List<String> of(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof UndefinedEnvironmentVariableException) {
            Matcher unset = UNSET.matcher(message);
            return List.of(
                    unset.matches()
                            ? "the environment variable " + unset.group(1)
                                    + " is not set, and the file, comments too, has no default for it"
                            : "${ begins the name of no environment variable"); // it goes on to the next brace of the
            // file
        }
        Collection<String> errors =
                failure instanceof ConfigurationException wrong ? wrong.getErrors() : List.of(message);
        boolean ofFile = failure instanceof ConfigurationException
                || message.matches("(?s)(Duplicate field|Unable to override) .*");
        return ofFile ? errors.stream().map(ConfigurationErrors::withoutValue).toList() : List.of();
    }

    /**
     * SnakeYAML ends its messages with the lines of the file, and Jackson with the value and the classes. The names of keys that may
     * have been meant follow in lines of their own, too.
     */
    private static String withoutValue(String error) {
        String told = error.contains("Did you mean?")
                ? error
                : error.strip().lines().findFirst().orElse("");
        return told.replaceFirst("(from \\w+ value) \\(.*|: not allowed when .*", "$1")
                .replaceAll("\\s*\\R\\s*(- )?", " ");
    }
}
