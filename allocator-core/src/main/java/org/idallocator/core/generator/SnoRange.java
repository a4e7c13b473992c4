package org.idallocator.core.generator;

/**
 * The sequences that one sno generator may use, {@code min} to {@code max}, both inclusive, 0..65535; at least 4 of them,
 * as the specification's text says.
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

    /** Bounds as the specification takes them: in either order, and a {@code max} of 0 stands for 65535. */
    public static SnoRange ofBounds(int min, int max) {
        int last = max == 0 && min != MAX_SEQUENCE ? MAX_SEQUENCE : max;
        return new SnoRange(Math.min(min, last), Math.max(min, last));
    }

    public int size() {
        return max - min + 1;
    }

    /** Whether some sequence is in both. */
    public boolean overlaps(SnoRange other) {
        return min <= other.max && other.min <= max;
    }
}
