package org.idallocator.core.scheme;

import java.util.Locale;

/**
 * How slots are written: {@code digits} digits in {@code radix} (10 or 16, upper-case), of the slot plus {@code base}.
 *
 * @param base what slot 0 is called: 2^48 for medallions, else 0
 */
public record SlotNames(int radix, int digits, long base) {

    static SlotNames decimal(long size) {
        return new SlotNames(10, Long.toString(size - 1).length(), 0);
    }

    String nameOf(long slot) {
        String digitsOnly = Long.toString(base + slot, radix).toUpperCase(Locale.ROOT);
        return "0".repeat(Math.max(0, digits - digitsOnly.length())) + digitsOnly;
    }

    /** The slot, not checked against a pool's size; -1 for text that is no name. */
    long slotOf(String name) {
        try {
            long slot = Long.parseLong(name, radix) - base;
            return nameOf(slot).equals(name) ? slot : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
