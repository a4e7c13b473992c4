package org.idallocator.dropwizard.decode;

import com.google.common.base.Strings;
import java.util.Locale;
import org.idallocator.core.scheme.SlotPool;

/** How people write slots. They are printed in one form, as ZooKeeper has them. */
public final class SlotText {
    private SlotText() {}

    /**
     * The slot that a person means, who may leave out leading zeros, and write hex digits in either case.
     *
     * @throws IllegalArgumentException when it is none of the pool's, naming the text and what is allowed
     */
    public static long read(SlotPool pool, String text) {
        boolean digits = text.matches("[0-9A-Fa-f]+");
        int length = pool.nameOf(0).length();
        String whole = digits ? Strings.padStart(text.toUpperCase(Locale.ROOT), length, '0') : text;
        try {
            return pool.slotOf(whole);
        } catch (IllegalArgumentException e) {
            return pool.slotOf(text); // throws, and names what was written
        }
    }
}
