package org.idallocator.dropwizard.cli.leases;

import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.dropwizard.cli.CommandException;
import org.idallocator.dropwizard.decode.SlotText;

/**
 * The slot that a call names.
 *
 * @param scheme a scheme with slots
 * @param number the number of the slot
 */
record SlotArgument(Scheme<?> scheme, long number) {
    /**
     * Reads the slot that a call names.
     *
     * @throws CommandException when the scheme has no such slot, saying which slots there are
     */
    static SlotArgument of(List<Scheme<?>> configured, Namespace options) {
        Scheme<?> scheme = ClusterCommand.scheme(configured, options);
        SlotPool pool = scheme.pool().orElseThrow();
        return new SlotArgument(
                scheme, CommandException.asMisuse(() -> SlotText.read(pool, options.getString("slot"))));
    }

    /** The slot for people, with its scheme. */
    @Override
    public String toString() {
        return scheme.name() + " slot " + scheme.pool().orElseThrow().nameOf(number);
    }
}
