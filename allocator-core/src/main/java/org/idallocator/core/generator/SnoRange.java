package org.idallocator.core.generator;

import org.idallocator.core.id.Bounds;

/**
 * The sequences that one sno generator may use: {@code min} to {@code max}, both inclusive and from 0 to 65535. A range
 * has at least 4 sequences, as the specification's text says. Throws {@link IllegalArgumentException} otherwise.
 */
public record SnoRange(int min, int max) {
    public static final int SMALLEST = 4;
    static final int MAX_SEQUENCE = 65_535;
    /** A whole partition. */
    public static final SnoRange ALL = new SnoRange(0, MAX_SEQUENCE);

    public SnoRange {
        Bounds.require("sequenceMin", min, 0, MAX_SEQUENCE);
        Bounds.require("sequenceMax", max, 0, MAX_SEQUENCE);
        if (max - min + 1 < SMALLEST) {
            throw new IllegalArgumentException(
                    "a sno generator needs at least 4 sequences: " + min + ".." + max + " has " + (max - min + 1));
        }
    }

    /** A range with bounds as the specification takes them: in either order; a {@code max} of 0 means 65535. */
    public static SnoRange ofBounds(int min, int max) {
        int last = max == 0 && min != MAX_SEQUENCE ? MAX_SEQUENCE : max;
        return new SnoRange(Math.min(min, last), Math.max(min, last));
    }

    public int size() {
        return max - min + 1;
    }

    /** Whether the two ranges share a sequence. */
    public boolean overlaps(SnoRange other) {
        return min <= other.max && other.min <= max;
    }
}
