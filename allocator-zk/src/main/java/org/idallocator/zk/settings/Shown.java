package org.idallocator.zk.settings;

import org.idallocator.core.id.BadValueException;

/** How a bad value stands in a message: in one line, not longer than a line, and without a user and password. */
public final class Shown {
    private static final int LONGEST = 120;

    private Shown() {}

    /** Throws {@link BadValueException} that tells the key, the rule and the value, unless {@code holds}. */
    public static void require(boolean holds, String key, String rule, Object value) {
        if (!holds) {
            throw new BadValueException(key, rule + ": " + of(value));
        }
    }

    /**
     * The value without what stands before its last {@code @}, which may be a password; the scheme of a URL stays. A
     * value that is longer than 120 characters is cut, and a control character becomes a question mark.
     */
    public static String of(Object value) {
        return value.toString()
                .replaceFirst("(?s)^(.*?://)?.*@", "$1***@")
                .replaceFirst("(?s)^(.{" + LONGEST + "}).+", "$1...")
                .replaceAll("\\p{Cntrl}", "?");
    }
}
