package org.idallocator.zk.simulation;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.generator.SequenceView.Used;
import org.idallocator.zk.model.ModelState;

/**
 * The tenures of one slot. What a tenure has come to know is seen by what it does: its fence's ceiling has risen, it
 * draws, or it renews on a version. So a refusal that is taken for an OK is seen, too.
 */
final class MonitoredTenures {
    private final ModelSteps steps;
    private final ModelState state;
    private final MonitoredRecord record;
    private final Map<String, MonitoredTenure> tenures = new HashMap<>(); // by their nonces
    private final Map<String, MonitoredTenure> open = new LinkedHashMap<>(); // those of which there is more to see

    MonitoredTenures(ModelSteps steps, MonitoredRecord record) {
        this.steps = steps;
        this.state = steps.state();
        this.record = record;
    }

    /** A tenure claims the slot. */
    void add(String nonce, MonitoredTenure tenure) {
        tenures.put(nonce, tenure);
        open.put(nonce, tenure);
    }

    /** The name of the tenure that has this nonce; of what has none, nobody's. */
    String named(String nonce) {
        return tenures.containsKey(nonce) ? nonce : MonitoredRecord.NOBODY;
    }

    /** An OK has come for a write. */
    void answered(String write) {
        String by = state.name("by", write);
        if (record.isOf(by, write)) {
            MonitoredTenure tenure = Objects.requireNonNull(tenures.get(by));
            tenure.answered.add(write);
            open.put(by, tenure);
        }
    }

    /** What the tenure's generator has used, in the model. */
    Used used(String nonce) {
        return new Used(
                state.number("tick", nonce),
                state.isTrue("line", nonce),
                state.number("used", nonce),
                state.number("safe", nonce));
    }

    /** What a step has come to must be the same here and there. */
    void requireSame(String action, String nonce, Used real) {
        Used told = used(nonce);
        if (!told.equals(real)) {
            throw steps.noStep(action, Optional.empty(), "the generator is at " + real + ", in the model at " + told);
        }
    }

    /** Whoever draws or renews takes its claim for applied. */
    void requireServing(String nonce) {
        if (!tenures.containsKey(nonce)) {
            throw steps.noStep("Renew", Optional.empty(), nonce + " has never claimed the slot");
        }
        if (!state.isTrue("serving", nonce)) {
            believe(nonce, state.name("claimOf", nonce));
        }
    }

    /** Whoever renews on a version takes the write for applied that has left that version. */
    void requireKnown(String nonce, long version) {
        if (state.number("knownVersion", nonce) != version) {
            record.believed(nonce, write -> write.on() + 1 == version).ifPresent(write -> believe(nonce, write));
        }
    }

    private void believe(String nonce, String write) {
        steps.take(state.name("record").equals(write) ? "ReadBack" : "Confirm", nonce, write);
    }

    /**
     * Takes the steps that tenures have taken since this was done last, in the order in which one thread can have taken
     * them.
     */
    void look() {
        open.forEach(this::look);
        open.keySet().removeIf(nonce -> state.isTrue("closed", nonce) && state.isTrue("tripped", nonce));
    }

    private void look(String nonce, MonitoredTenure tenure) {
        confirm(nonce, tenure);
        if (tenure.noteWord()) {
            draw(nonce, tenure.used());
        }
        if (tenure.hasTripped() && !state.isTrue("tripped", nonce)) {
            steps.take("Trip", nonce);
            confirm(nonce, tenure); // what comes now changes nothing any more
        }
        if (tenure.isClosed() && !state.isTrue("closed", nonce)) {
            steps.take("Close", nonce);
        }
    }

    /** A ceiling that is confirmed counts as soon as the fence has it, and never where the fence has tripped before. */
    private void confirm(String nonce, MonitoredTenure tenure) {
        long ceiling = tenure.ceiling();
        for (String write : List.copyOf(tenure.answered)) {
            if (state.number("ceilingOf", write) <= ceiling || state.isTrue("tripped", nonce)) {
                tenure.answered.remove(write);
                steps.take("Confirm", nonce, write);
            }
        }
        if (ceiling > state.number("ceiling", nonce)) {
            record.believed(nonce, write -> state.number("ceilingOf", write.name()) == ceiling)
                    .ifPresent(write -> believe(nonce, write));
        }
    }

    /** Its generator has moved. Between two pauses, a thread takes one step at most. */
    private void draw(String nonce, Used now) {
        Used before = used(nonce);
        boolean steppedBack = now.line() != before.line();
        boolean took = steppedBack ? now.used() > 0 : now.tick() != before.tick() || now.used() != before.used();
        if (steppedBack || took) {
            requireServing(nonce);
        }
        if (steppedBack) {
            steps.take("StepBack", nonce, now.tick());
        }
        if (took) {
            steps.take("Take", nonce, now.tick(), now.used(), false);
        }
        requireSame(took ? "Take" : "StepBack", nonce, now);
    }
}
