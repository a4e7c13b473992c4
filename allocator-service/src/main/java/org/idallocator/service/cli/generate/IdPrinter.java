package org.idallocator.service.cli.generate;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.draw.Order;

/** Draws the IDs of an order, and prints them while they are drawn, in constant memory. Not thread-safe, but for {@link #tally}. */
public final class IdPrinter {
    private static final int CHUNK_IDS = 1_024;

    private final Order order;
    private final IdLines lines;
    private final Output out;
    private final Progress progress;

    public IdPrinter(Order order, IdLines lines, Output out, Progress progress) {
        this.order = order;
        this.lines = lines;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Prints all IDs, unless {@code ending} says that nobody wants more of them. Throws {@link CommandException}, saying how many
     * were printed, when no more can be drawn or printed.
     */
    public void print(IdGenerator<?> generator, BooleanSupplier ending) {
        try {
            draw(generator, ending);
        } catch (CommandException e) {
            throw new CommandException(e.getMessage() + " (" + tally() + ")", e);
        } finally {
            progress.end(out.lines());
        }
    }

    private void draw(IdGenerator<?> generator, BooleanSupplier ending) {
        try {
            order.draw(generator, CHUNK_IDS, lines, () -> chunkPrinted(ending));
        } catch (FencedException | OverCapacityException | CancellationException e) {
            out.flush();
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Makes what was printed readable at once. */
    private void chunkPrinted(BooleanSupplier ending) {
        out.flush();
        progress.reached(out.lines());
        if (ending.getAsBoolean()) {
            throw new CancellationException("the process is ending");
        }
    }

    /** How many IDs standard output has taken, of how many. */
    public String tally() {
        return out.lines() + " of " + order.ids() + " IDs were printed";
    }

    /** Ends an open line of progress, and says no more of it. */
    public void endProgress() {
        progress.end(out.lines());
    }
}
