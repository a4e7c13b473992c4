package org.idallocator.service.cli.completion;

import java.util.List;

/**
 * One argument or option that a command takes.
 *
 * @param flags how an option is written, {@code -c} and {@code --config}; none for an argument, which stands by its place
 * @param dest the name under which the command looks for the value
 * @param valued whether a value has to follow the flag
 * @param optional whether the argument may be left out
 * @param repeated whether more of the kind may follow
 * @param choices the values that the parser itself allows; none where it does not say
 */
record Taken(
        List<String> flags, String dest, boolean valued, boolean optional, boolean repeated, List<String> choices) {

    /** The same with other choices. */
    Taken withChoices(List<String> others) {
        return new Taken(flags, dest, valued, optional, repeated, others);
    }

    boolean option() {
        return !flags.isEmpty();
    }
}
