package org.idallocator.service.cli.generate;

import java.util.concurrent.CancellationException;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.draw.Order;

/** Draws an order's IDs and prints them while they are drawn, in constant memory. */
public final class IdPrinter {
    private static final int CHUNK_IDS = 1_024;

    private final IdLines lines;
    private final Output out;
    private final Progress progress;

    public IdPrinter(IdLines lines, Output out, Progress progress) {
        this.lines = lines;
        this.out = out;
        this.progress = progress;
    }

    /** Throws {@link CommandException}, saying how many were printed, when drawing ends before the order does. */
    public void print(IdGenerator<?> generator, Order order) {
        try {
            order.draw(generator, CHUNK_IDS, lines, this::chunkPrinted);
        } catch (FencedException | OverCapacityException | CancellationException e) {
            out.flush();
            throw endedEarly(e, order);
        } finally {
            progress.end(lines.written());
        }
    }

    /** What is printed can be read at once. */
    private void chunkPrinted() {
        out.flush();
        progress.reached(lines.written());
    }

    private CommandException endedEarly(RuntimeException why, Order order) {
        return new CommandException(
                why.getMessage() + " (" + lines.written() + " of " + order.ids() + " IDs were printed)", why);
    }
}
