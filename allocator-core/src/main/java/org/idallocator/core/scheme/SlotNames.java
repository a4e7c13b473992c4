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
        String allowed = nameOf(0) + ".." + nameOf(size - 1);
        try {
            long slot = Long.parseLong(name, radix) - base;
            if (slot >= 0 && slot < size && nameOf(slot).equals(name)) {
                return slot;
            }
        } catch (NumberFormatException e) {
            throw Values.refused("slot", allowed, name, e);
        }
        throw Values.refused("slot", allowed, name);
    }
}
