package org.idallocator.dropwizard.decode;

import com.google.common.base.Strings;
import java.util.Locale;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.SlotPool;

/** Reads slots as people write them. */
public final class SlotText {
    private SlotText() {}

    /**
     * The number of the slot that a person means. Leading zeros may be left out, and hex digits may be in either case.
     *
     * @throws BadValueException when the pool has no such slot, naming the text and what is allowed
     */
    public static long read(SlotPool pool, String text) {
        boolean digits = text.matches("[0-9A-Fa-f]+");
        int length = pool.nameOf(0).length();
        String whole = digits ? Strings.padStart(text.toUpperCase(Locale.ROOT), length, '0') : text;
        try {
            return pool.slotOf(whole);
        } catch (BadValueException e) {
            return pool.slotOf(text); // throws, and names what was written
        }
    }
}
