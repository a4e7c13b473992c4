package org.idallocator.bench;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One of the things that this program does.
 *
 * @param name the first word of the command line
 * @param synopsis what may follow, such as {@code [names] [--seconds=60]}, beyond what every command takes
 * @param does what the command does, in a few words
 * @param body does it
 */
record Command(String name, String synopsis, String does, Body body) {
    private static final Pattern OPTION = Pattern.compile("\\[--(\\w+)=");

    /** Whether names of what is measured may follow. */
    boolean takesNames() {
        return synopsis.contains("[names]");
    }

    /** The options with a value that may follow, without their dashes. */
    Set<String> options() {
        return OPTION.matcher(synopsis)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toUnmodifiableSet());
    }

    void run(List<String> words) throws Exception {
        body.run(Arguments.of(this, words));
    }

    /** What a command does with its arguments. */
    interface Body {
        void run(Arguments arguments) throws Exception;
    }
}
