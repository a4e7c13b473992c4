package org.idallocator.service.cli.leases;

import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.text.SlotText;

/**
 * A slot that a call names.
 *
 * @param scheme a scheme with slots
 * @param number the number of the slot
 */
public record NamedSlot(Scheme<?> scheme, long number) {

    /**
     * The slot that a person means, who may leave out leading zeros, and write hex digits in either case.
     *
     * @throws UsageException when it is none of the scheme's, saying which there are
     */
    static NamedSlot of(Scheme<?> scheme, String text) {
        SlotPool pool = pool(scheme);
        return new NamedSlot(scheme, CommandOptions.read(() -> SlotText.read(pool, text)));
    }

    /** The names of the first and the last slot of a scheme. */
    static String range(Scheme<?> scheme) {
        SlotPool pool = pool(scheme);
        return pool.nameOf(0) + ".." + pool.nameOf(pool.size() - 1);
    }

    private static SlotPool pool(Scheme<?> scheme) {
        return scheme.pool().orElseThrow();
    }

    /** The slot's name in its pool, as ZooKeeper has that. */
    String name() {
        return pool(scheme).nameOf(number);
    }

    /** The slot for people, with its scheme. */
    @Override
    public String toString() {
        return scheme.name() + " slot " + name();
    }
}
