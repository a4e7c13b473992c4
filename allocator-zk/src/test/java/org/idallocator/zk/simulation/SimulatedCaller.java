package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.AheadException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdsAfter;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.zk.simulation.Calls.Drawn;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.simulation.Strands.Strand;

/**
 * A thread that draws IDs as programs do, now from one replica, now from another. The thread may stop before the draw,
 * inside it wherever that reads the clock, also with the line's lock in its hands or while it stands in line, and
 * between the draw and handing the IDs out. Where a run has IDs passed along, most draws are after one that a caller
 * has received before, from whichever replica.
 */
final class SimulatedCaller implements Runnable {
    private static final int FEW = 3;
    private static final int SOME = 100;

    private final Simulation simulation;
    private final Ledger ledger;
    private final Random random;

    SimulatedCaller(Simulation simulation, Ledger ledger) {
        this.simulation = simulation;
        this.ledger = ledger;
        this.random = new Random(simulation.random.nextLong());
    }

    /** An ID as bits. */
    private record Bits(long high, long low) {}

    @Override
    public void run() {
        while (true) {
            simulation.sleep(random.nextInt((int) simulation.callerNanos()));
            SimulatedReplica replica = simulation.replicas.get(random.nextInt(simulation.replicas.size()));
            List<Calls> calls = replica.calls();
            if (!calls.isEmpty()) {
                draw(replica, calls.get(random.nextInt(calls.size())));
            }
        }
    }

    private void draw(SimulatedReplica replica, Calls from) {
        int times = 1 + random.nextInt(5);
        for (int i = 0; i < times; i++) {
            drawOnce(replica, from);
        }
    }

    private void drawOnce(SimulatedReplica replica, Calls from) {
        List<Serving> serving = from.serving();
        simulation.drawnFrom(serving.size());
        Set<String> late = tenures(serving, slot -> replica.isOver(slot.fence().deadlineNanos()));
        Set<String> shared = tenures(serving, replica::sharesWithCopy);
        long beforeMicros = replica.clock.readMicros();
        Optional<Id> seen = simulation.passedAlong(from.scheme()).filter(id -> random.nextInt(4) > 0);
        List<Bits> ids = seen.isPresent()
                ? received(from, sink -> drawAfter(seen.get(), from, sink))
                : received(from, sink -> draw(from, sink));
        for (Bits id : ids) {
            Drawn drawn = from.drawn(id.high(), id.low());
            simulation.drawn(drawn.way());
            if (late.contains(drawn.of().tenure())) {
                throw new Violation("issued after the deadline: " + drawn.of().lease() + ", "
                        + drawn.of().tenure());
            }
        }
        long afterMicros = replica.clock.readMicros();
        simulation.pause();
        for (Bits id : ids) {
            passAlong(seen, from.scheme().type().reader().of(id.high(), id.low()), from);
            Serving slot = from.drawn(id.high(), id.low()).of();
            if (shared.contains(slot.tenure()) || replica.sharesWithCopy(slot)) {
                ledger.shared(slot, id.high(), id.low(), afterMicros);
                continue;
            }
            if (replica.wasCopied(slot)) {
                ledger.servesAlone(slot.tenure(), replica);
                ledger.alone(slot, id.high(), id.low(), beforeMicros);
            }
            ledger.issued(slot, id.high(), id.low());
        }
    }

    private void passAlong(Optional<Id> seen, Id got, Calls from) {
        seen.ifPresent(id -> ledger.answered(id.toBytes(), got.toBytes()));
        simulation.received(got, from.scheme());
    }

    private static Set<String> tenures(List<Serving> slots, Predicate<Serving> which) {
        return slots.stream().filter(which).map(Serving::tenure).collect(Collectors.toSet());
    }

    /** What a caller received by one draw, also where the draw failed after that. */
    private List<Bits> received(Calls from, Consumer<IdSink> draw) {
        Strand strand = simulation.strands.current();
        List<Bits> ids = new ArrayList<>();
        strand.mayTake(from.lock());
        try {
            simulation.pause();
            draw.accept((high, low) -> ids.add(new Bits(high, low)));
        } catch (FencedException | OverCapacityException | AheadException e) {
            // there is no more to receive
        } finally {
            strand.mayTake(null);
        }
        return ids;
    }

    private void draw(Calls from, IdSink sink) {
        IdGenerator<?> ids = from.ids();
        switch (random.nextInt(8)) {
            case 0 -> ids.next(wanted(from), sink);
            case 1 -> ids.nextUpTo(wanted(from), sink);
            case 2 -> ids.poll(sink);
            default -> {
                Id id = ids.next();
                sink.accept(id.high(), id.low());
            }
        }
    }

    /** Asks again, once, where the replica's clock is too far behind: that must do, unless a clock was put back. */
    private void drawAfter(Id seen, Calls from, IdSink sink) {
        try {
            drawOnceAfter(seen, from, sink);
        } catch (AheadException e) {
            simulation.refusedAsAhead();
            boolean calm = simulation.calm;
            simulation.sleep(e.retryAfter().toNanos());
            try {
                drawOnceAfter(seen, from, sink);
            } catch (AheadException again) {
                if (calm) {
                    throw new Violation("still ahead after " + e.retryAfter() + ": " + again.getMessage());
                }
                throw again;
            }
        }
    }

    private void drawOnceAfter(Id seen, Calls from, IdSink sink) {
        IdsAfter<?> ids = from.after(seen);
        switch (random.nextInt(4)) {
            case 0 -> ids.next(wanted(from), sink);
            case 1 -> ids.nextUpTo(wanted(from), sink);
            default -> {
                Id id = ids.next();
                sink.accept(id.high(), id.low());
            }
        }
    }

    /** How many IDs to ask for: while callers are busy, often more than all the slots have. */
    private int wanted(Calls from) {
        long all = Math.max(1, from.serving().size()) * from.scheme().idsPerTick();
        if (simulation.busy() && random.nextInt(3) == 0) {
            return 1 + random.nextInt((int) (all * 3 / 2) + 50);
        }
        return 1 + random.nextInt(random.nextInt(20) == 0 ? SOME : FEW);
    }
}
