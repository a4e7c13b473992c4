package org.idallocator.zk.lease;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One slot that was changed for another.
 *
 * @param scheme the scheme's name
 * @param from the slot that was given back, or is about to be
 * @param to the slot that serves now
 */
public record Rotated(String scheme, String from, String to) {

    /** For people: {@code sno 0017 -> 0912}. */
    public String inWords() {
        return scheme + " " + from + " -> " + to;
    }

    /** Several of them in one line. */
    public static String inWords(List<Rotated> rotated) {
        return rotated.stream().map(Rotated::inWords).collect(Collectors.joining(", "));
    }
}
