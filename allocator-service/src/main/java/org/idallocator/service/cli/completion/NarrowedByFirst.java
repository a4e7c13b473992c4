package org.idallocator.service.cli.completion;

/** A command whose first argument decides what else a call takes. No completion offers what such a call refuses. */
public interface NarrowedByFirst {
    /**
     * Whether a call takes an argument or option at all.
     *
     * @param first the call's first argument, one of those that the command allows
     * @param dest the name under which the command looks for the value
     */
    boolean takes(String first, String dest);

    /** Whether such a call takes this value of what it takes. */
    boolean takesValue(String first, String dest, String value);
}
