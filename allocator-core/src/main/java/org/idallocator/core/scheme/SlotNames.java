package org.idallocator.core.scheme;

import java.util.Locale;

/**
 * The names of a pool's slots, 0 to {@code size - 1}: {@code digits} digits in {@code radix} (10 or 16, upper-case), of the
 * slot plus {@code base}. Names are zero-padded, so that they sort as slots do.
 *
 * @param size how many slots there are
 * @param base the number that names slot 0: 2^48 for medallions, else 0
 */
public record SlotNames(long size, int radix, int digits, long base) {

    static SlotNames decimal(long size) {
        return new SlotNames(size, 10, Long.toString(size - 1).length(), 0);
    }

    String nameOf(long slot) {
        String digitsOnly = Long.toString(base + slot, radix).toUpperCase(Locale.ROOT);
        return "0".repeat(Math.max(0, digits - digitsOnly.length())) + digitsOnly;
    }

    /** The slot of a name; throws {@link IllegalArgumentException} naming what is allowed. */
    long slotOf(String name) {
        long slot = read(name);
        if (slot < 0 || slot >= size) {
            throw new IllegalArgumentException("slot must be " + nameOf(0) + ".." + nameOf(size - 1) + ": " + name);
        }
        return slot;
    }

    /** The slot, not checked against the size; -1 for text that is no name. */
    private long read(String name) {
        try {
            long slot = Long.parseLong(name, radix) - base;
            return nameOf(slot).equals(name) ? slot : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
