package org.idallocator.zk.settings;

import java.time.Duration;
import java.util.Optional;
import org.idallocator.core.id.BadValueException;

/**
 * A length of time that the settings of a replica have: its key, what it may be, and what it is where a configuration
 * says nothing of it.
 *
 * @param key as it is named in a configuration, {@code zookeeper.sessionTimeout}
 * @param least the shortest that is allowed, inclusive: 1 ms or more, because ZooKeeper keeps these in milliseconds
 * @param most the longest that is allowed, inclusive
 * @param usual where a configuration says nothing of it
 * @param tooShort what is said of all that are shorter, where that does not depend on how short they are
 * @param why what follows on the refusal of a longer one; may be empty
 */
public record Term(String key, Duration least, Duration most, Duration usual, Optional<String> tooShort, String why) {
    /** One of which nothing else is said where it is refused. */
    Term(String key, Duration least, Duration most, Duration usual) {
        this(key, least, most, usual, Optional.empty(), "");
    }

    /** Returns a value that is allowed; throws {@link BadValueException} for another one. */
    public Duration require(Duration value) {
        return require(key, value);
    }

    /** The same for one that has a key of its own, such as {@code muid.window}. */
    Duration require(String ownKey, Duration value) {
        String rule = "must be at most " + most.toMillis() + " ms";
        Shown.require(value.compareTo(most) <= 0, ownKey, rule, value.toMillis() + " ms" + why);
        Shown.require(value.compareTo(least) >= 0, ownKey, tooShort.orElseGet(() -> atLeast(value)), inWords(value));
        return value;
    }

    /** What a value is not that is too short. */
    private String atLeast(Duration value) {
        if (value.compareTo(Duration.ZERO) <= 0) {
            return "must be positive";
        }
        return value.toMillis() == 0 ? "must be 1 ms or more" : "must be at least " + least.toMillis() + " ms";
    }

    private static String inWords(Duration value) {
        boolean belowMilli = value.toMillis() == 0 && !value.isZero();
        return belowMilli ? value.toNanos() + " ns" : value.toMillis() + " ms";
    }
}
