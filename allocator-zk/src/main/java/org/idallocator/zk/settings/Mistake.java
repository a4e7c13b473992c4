package org.idallocator.zk.settings;

import java.io.Serializable;
import java.util.List;

/**
 * One thing that is wrong with settings. Immutable, thread-safe.
 *
 * @param key the key that the mistake is about, such as {@code zookeeper.root}; empty for the settings as a whole
 * @param sentence names the key, what is allowed and the bad value; secrets are left out
 * @param comparedWith the other keys whose values the value was held against; where one of those is bad, the mistake may be none
 */
public record Mistake(String key, String sentence, List<String> comparedWith) implements Serializable {
    public Mistake {
        comparedWith = List.copyOf(comparedWith);
    }

    /** A mistake about one key; {@code what} goes on from the key, as in {@code must be positive: 0 ms}. */
    static Mistake about(String key, String what) {
        return new Mistake(key, key + " " + what, List.of());
    }

    /** The same mistake in settings that have these ones as a section, or in the same settings where that is empty. */
    public Mistake in(String section) {
        return section.isEmpty()
                ? this
                : new Mistake(
                        key.isEmpty() ? section : section + "." + key,
                        section + "." + sentence,
                        comparedWith.stream().map(each -> section + "." + each).toList());
    }
}
