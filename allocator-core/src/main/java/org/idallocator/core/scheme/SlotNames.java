package org.idallocator.core.scheme;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.idallocator.core.id.BadValueException;

/**
 * The names of a pool's slots, 0 to {@code size - 1}: the digits, in {@code radix} and upper-case, of the slot plus
 * {@code base}. Names are zero-padded to the length of the last one, so that they sort as slots do.
 *
 * @param size how many slots there are
 * @param radix 10 or 16
 * @param base the number that names slot 0: 2^48 for medallions, else 0
 */
public record SlotNames(long size, int radix, long base) {
    private static final Pattern ANY_NAME = Pattern.compile("[0-9A-Fa-f]{1,13}");

    static SlotNames decimal(long size) {
        return new SlotNames(size, 10, 0);
    }

    /**
     * Whether a slot may have this name, or one like it in lower case, in some pool and layout: 1 to 13 hexadecimal
     * digits.
     */
    public static boolean mayNameASlot(String text) {
        return ANY_NAME.matcher(text).matches();
    }

    private String digitsOf(long slot) {
        return Long.toString(base + slot, radix).toUpperCase(Locale.ROOT);
    }

    String nameOf(long slot) {
        String digits = digitsOf(slot);
        return "0".repeat(Math.max(0, digitsOf(size - 1).length() - digits.length())) + digits;
    }

    /** A name without its padding: names of one slot, in pools of one scheme and of any size, are equal then. */
    public static String unpadded(String name) {
        return name.replaceFirst("^0+(?=.)", "");
    }

    /** The slot of a name; throws {@link BadValueException} naming what is allowed. */
    public long slotOf(String name) {
        return slotAt(name).orElseThrow(() -> Allowed.refused("slot", nameOf(0) + ".." + nameOf(size - 1), name));
    }

    /** The slot of a name; empty for a name that no slot of this pool has. */
    public OptionalLong slotAt(String name) {
        OptionalLong slot = slotAtAnySize(name);
        return slot.isPresent()
                        && slot.getAsLong() < size
                        && nameOf(slot.getAsLong()).equals(name)
                ? slot
                : OptionalLong.empty();
    }

    /**
     * The slot of a name in a pool of the same scheme and of any size, because another size may have longer or shorter
     * names. Empty for a text that is no name. The slot may be above this pool's last slot.
     */
    public OptionalLong slotAtAnySize(String name) {
        try {
            long slot = Long.parseLong(name, radix) - base;
            return slot >= 0 && unpadded(name).equals(digitsOf(slot)) ? OptionalLong.of(slot) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // an answer, not a failure
        }
    }
}
