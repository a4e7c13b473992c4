package org.idallocator.service.cli.completion;

/** A command of which one argument or option decides what else a call takes. No completion offers what such a call refuses. */
public interface NarrowedByValue {
    /** The name under which the command looks for what decides: its first argument, or an option with a value. */
    String narrowing();

    /**
     * Whether a call takes an argument or option at all.
     *
     * @param value of what decides, one of those that the command allows
     * @param dest the name under which the command looks for the argument or option
     */
    boolean takes(String value, String dest);

    /** Whether such a call takes {@code other} for the argument or option {@code dest}, where it takes that. */
    boolean takesValue(String value, String dest, String other);
}
