package org.idallocator.service.cli.generate;

import java.util.concurrent.CancellationException;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.draw.Order;

/** Draws an order's IDs and prints them while they are drawn, in constant memory. */
public final class Printing {
    private static final int CHUNK_IDS = 1_024;

    private final IdLines lines;
    private final Output out;
    private final Progress progress;

    public Printing(IdLines lines, Output out, Progress progress) {
        this.lines = lines;
        this.out = out;
        this.progress = progress;
    }

    /** Throws {@link CommandException}, saying how many were printed, when drawing ends before the order does. */
    public void run(IdGenerator<?> generator, Order order) {
        try {
            drawChunks(generator.with(order.variant()), order);
        } catch (FencedException | OverCapacityException | CancellationException e) {
            out.flush();
            throw endedEarly(e, order);
        } finally {
            progress.end(lines.written());
        }
    }

    /** What is printed can be read at once. A transaction is one draw, which gives its IDs one by one. */
    private void drawChunks(IdGenerator<?> generator, Order order) {
        int chunk = order.transaction() ? order.count() : CHUNK_IDS;
        for (int left = order.count(); left > 0; left -= chunk) {
            generator.next(Math.min(left, chunk), lines);
            out.flush();
            progress.reached(lines.written());
        }
    }

    private CommandException endedEarly(RuntimeException why, Order order) {
        return new CommandException(
                why.getMessage() + " (" + lines.written() + " of " + order.ids() + " IDs were printed)");
    }
}
