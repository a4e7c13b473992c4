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

    /** Several of them for people, in one line: {@code sno 0017 -> 0912, sno 0018 -> 0011}. */
    static String inWords(List<Rotated> rotated) {
        return rotated.stream()
                .map(one -> one.scheme + " " + one.from + " -> " + one.to)
                .collect(Collectors.joining(", "));
    }
}
