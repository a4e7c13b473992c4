package org.idallocator.core.scheme;

import java.util.Locale;

/**
 * The names of a pool's slots, 0 to {@code size - 1}: the digits, in {@code radix} and upper-case, of the slot plus {@code base}.
 * Names are zero-padded to the length of the last one, so that they sort as slots do.
 *
 * @param size how many slots there are
 * @param radix 10 or 16
 * @param base the number that names slot 0: 2^48 for medallions, else 0
 */
public record SlotNames(long size, int radix, long base) {

    static SlotNames decimal(long size) {
        return new SlotNames(size, 10, 0);
    }

    /** The names that the slots of the same scheme have where it has so many. */
    public SlotNames withSize(long slots) {
        return new SlotNames(slots, radix, base);
    }

    private String digitsOf(long slot) {
        return Long.toString(base + slot, radix).toUpperCase(Locale.ROOT);
    }

    String nameOf(long slot) {
        String digits = digitsOf(slot);
        return "0".repeat(Math.max(0, digitsOf(size - 1).length() - digits.length())) + digits;
    }

    /** The slot of a name; throws {@link IllegalArgumentException} naming what is allowed. */
    public long slotOf(String name) {
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
