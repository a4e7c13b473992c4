package org.idallocator.zk.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.idallocator.core.generator.SequenceView;
import org.idallocator.core.generator.SequenceView.Used;
import org.idallocator.core.generator.SnoSnapshot;
import org.idallocator.zk.model.Model;
import org.idallocator.zk.model.ModelState;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;

/**
 * One slot, beside a state of the model: each step that the code takes is taken there, too. Throws {@link NoStep} at the first that
 * the model does not have.
 *
 * <p>What a tenure has come to know is seen by what it does: its fence's ceiling has risen, it draws, or it renews on a version. So a
 * refusal that is taken for an OK is seen, too.
 */
final class MonitoredSlot {
    private static final String UNUSED = "unused";
    private static final String NOBODY = "nobody";
    private static final Set<String> OWNED = Set.of("claim", "renewal");
    private static final int STEPS_TOLD = 16;

    private final String path;
    private final ModelState state;
    private final Consumer<String> counter;
    private final Map<String, MonitoredTenure> tenures = new LinkedHashMap<>(); // by their nonces
    private final List<Sent> sent = new ArrayList<>();
    private final Map<Long, String> made = new HashMap<>(Map.of(0L, UNUSED)); // the write that made a version
    private final Deque<String> story = new ArrayDeque<>();
    private boolean outOfSight;

    /** A slot that nobody has used; {@code path} is that of its record, and {@code counter} hears of each action. */
    MonitoredSlot(String path, Model model, Consumer<String> counter) {
        this.path = path;
        this.counter = counter;
        state = new ModelState(model);
        state.fix("unused", UNUSED);
        state.fixOf("verb", UNUSED, "none");
        state.fixOf("on", UNUSED, -1L);
        state.fixOf("ceilingOf", UNUSED, -1L);
        state.fixOf("usedUpTo", UNUSED, -1L);
        state.fixOf("snap", UNUSED, false);
        state.fix("firstTaker", NOBODY);
        state.fix("idTick", 0L);
        state.fix("idLine", false);
        state.fix("idNumber", 1L);
    }

    /**
     * A write of the record.
     *
     * @param name what the model calls it
     * @param data what is written
     * @param on the version that its writer has seen
     */
    record Sent(String name, String data, long on) {}

    /** Whether somebody who is no replica wrote the record, or deleted it: then nobody looks at the slot any more. */
    boolean isOutOfSight() {
        return outOfSight;
    }

    /**
     * A process sends a write of the record.
     *
     * @param seen the version at which it has read the record last
     * @param claiming the tenure that it claims the slot for by this; empty where it writes something else
     * @return the write; empty where nobody looks at the slot any more
     */
    Optional<Sent> send(Store.Op.Write write, long seen, Optional<MonitoredTenure> claiming) {
        SlotRecord record = Payloads.read(path, NextVersion.understood(write.data()), SlotRecord.class);
        outOfSight |= record.isRetired() || record.nonce().startsWith("unretired-");
        if (outOfSight) {
            return Optional.empty();
        }
        String by = record.nonce();
        boolean renews = claiming.isEmpty() && !record.released();
        if (renews) {
            requireServing(by);
        }
        long unconditionally = renews ? state.number("knownVersion", by) : seen;
        long on = write.version() >= 0 ? write.version() : unconditionally;
        Optional<Sent> before = sent.stream()
                .filter(each -> each.data().equals(write.data()) && each.on() == on)
                .findFirst();
        if (before.isPresent()) {
            return before; // sent once more: it may be applied at any time, as it might have been anyway
        }
        Sent now = new Sent("write " + (sent.size() + 1), write.data(), on);
        say(now, record);
        if (claiming.isPresent()) {
            claim(by, now, claiming.get());
        } else if (renews) {
            renew(by, now);
        } else {
            setDownOrRaise(by, now, record);
        }
        sent.add(now);
        return Optional.of(now);
    }

    private void say(Sent write, SlotRecord record) {
        String name = write.name();
        state.fixOf("by", name, record.nonce());
        state.fixOf("on", name, write.on());
        state.fixOf("ceilingOf", name, record.ceiling());
        state.fixOf("usedUpTo", name, record.ceiling());
        state.fixOf("snap", name, record.snapshot() != null);
    }

    /** Whoever claims goes on from what was read, though the record may have been written since: then the claim is never applied. */
    private void claim(String by, Sent write, MonitoredTenure tenure) {
        sayVerb(write, "claim");
        String saw = seenBy(write);
        tenures.put(by, tenure);
        state.fixOf("claimOf", by, write.name());
        state.fixOf("floor", by, tenure.floor());
        Used start = tenure.used();
        boolean resumes =
                state.isTrue("snap", saw) && (tenure.floor() <= state.number("ceilingOf", saw) || start.line());
        take("Claim", asSeen(write), by, write.name(), resumes, start.used(), start.safe());
        requireSame("Claim", by, start);
    }

    private void sayVerb(Sent write, String verb) {
        state.fixOf("verb", write.name(), verb);
        state.fixOf("saw", write.name(), seenBy(write));
    }

    /** The record that the writer of this has seen. */
    private String seenBy(Sent write) {
        return Objects.requireNonNull(made.get(write.on()), () -> path + " was never at version " + write.on());
    }

    /** The same, as the state was then. */
    private Map<String, Object> asSeen(Sent write) {
        return Map.of("version", write.on(), "record", seenBy(write));
    }

    private void requireSame(String action, String tenure, Used real) {
        Used told = new Used(
                state.number("tick", tenure),
                state.isTrue("line", tenure),
                state.number("used", tenure),
                state.number("safe", tenure));
        if (!told.equals(real)) {
            throw noStep(action, Optional.empty(), "the generator is at " + real + ", in the model at " + told);
        }
    }

    /** Whoever draws or renews takes its claim for applied. */
    private void requireServing(String nonce) {
        if (!tenures.containsKey(nonce)) {
            throw noStep("Renew", Optional.empty(), nonce + " has never claimed the slot");
        }
        if (!state.isTrue("serving", nonce)) {
            believe(nonce, state.name("claimOf", nonce));
        }
    }

    private void renew(String by, Sent write) {
        if (state.number("knownVersion", by) != write.on()) {
            sent.stream()
                    .filter(each -> isOf(by, each) && each.on() + 1 == write.on())
                    .reduce(this::rather)
                    .ifPresent(each -> believe(by, each.name()));
        }
        state.fixOf("verb", write.name(), "renewal");
        state.fixOf("saw", write.name(), state.name("known", by));
        take("Renew", Map.of(), by, write.name());
    }

    private void setDownOrRaise(String by, Sent write, SlotRecord record) {
        String saw = seenBy(write);
        boolean own =
                OWNED.contains(state.name("verb", saw)) && state.name("by", saw).equals(by);
        sayVerb(write, own ? "release" : "raising");
        if (record.snapshot() != null) {
            saySnapshot(by, write, record);
        }
        if (own) {
            take("Release", asSeen(write), by, write.name());
        } else {
            take("Raise", asSeen(write), write.name());
        }
    }

    /** A snapshot has no form for a tick of which nothing is used, nor for the time before all ticks: it says more then. */
    private void saySnapshot(String by, Sent write, SlotRecord record) {
        Used told = SequenceView.used(Json.value(Objects.requireNonNull(record.snapshot()), SnoSnapshot.class));
        long used = state.number("used", by);
        long safe = state.number("safe", by);
        String name = write.name();
        state.fixOf("snapFloor", name, Objects.requireNonNull(record.floor()));
        state.fixOf("snapTick", name, told.tick());
        state.fixOf("snapLine", name, told.line());
        state.fixOf("snapUsed", name, used <= 1 && told.used() >= used ? used : told.used());
        state.fixOf("snapSafe", name, safe < 0 && told.safe() == 0 ? safe : told.safe());
    }

    /** An OK has come for a write. */
    void answered(Sent write) {
        if (OWNED.contains(state.name("verb", write.name()))) {
            tenure(state.name("by", write.name())).answered.add(write.name());
        }
    }

    private MonitoredTenure tenure(String nonce) {
        return Objects.requireNonNull(tenures.get(nonce));
    }

    /** ZooKeeper has applied a write of the record, or the record was made. */
    void written(String data, boolean created) {
        if (outOfSight) {
            return;
        }
        long version = state.number("version");
        if (created) {
            outOfSight = version > 0 || !isUnused(data); // else the claim makes the record
            return;
        }
        Optional<Sent> applied = sent.stream()
                .filter(each -> each.data().equals(data))
                .reduce((one, other) -> one.on() == version ? one : other);
        outOfSight = applied.isEmpty();
        applied.ifPresent(each -> {
            take("Apply", Map.of(), each.name());
            made.put(version + 1, each.name());
        });
    }

    private boolean isUnused(String data) {
        SlotRecord record = Payloads.read(path, NextVersion.understood(data), SlotRecord.class);
        return record.nonce().isEmpty() && !record.isRetired();
    }

    /** Takes the steps that its tenures have taken since this was done last, in the order in which one thread can have taken them. */
    void look() {
        if (!outOfSight) {
            tenures.forEach(this::look);
        }
    }

    private void look(String nonce, MonitoredTenure tenure) {
        confirm(nonce, tenure);
        if (tenure.noteWord()) {
            draw(nonce, tenure.used());
        }
        if (tenure.hasTripped() && !state.isTrue("tripped", nonce)) {
            take("Trip", Map.of(), nonce);
            confirm(nonce, tenure);
        }
        if (tenure.isClosed() && !state.isTrue("closed", nonce)) {
            take("Close", Map.of(), nonce);
        }
    }

    /** A ceiling that is confirmed counts as soon as the fence has it, and never where the fence has tripped before. */
    private void confirm(String nonce, MonitoredTenure tenure) {
        long ceiling = tenure.ceiling();
        for (String write : List.copyOf(tenure.answered)) {
            if (state.number("ceilingOf", write) <= ceiling || state.isTrue("tripped", nonce)) {
                tenure.answered.remove(write);
                take("Confirm", Map.of(), nonce, write);
            }
        }
        if (ceiling > state.number("ceiling", nonce)) {
            sent.stream()
                    .filter(each -> isOf(nonce, each) && state.number("ceilingOf", each.name()) == ceiling)
                    .reduce(this::rather)
                    .ifPresent(each -> believe(nonce, each.name()));
        }
    }

    private boolean isOf(String nonce, Sent write) {
        return OWNED.contains(state.name("verb", write.name()))
                && state.name("by", write.name()).equals(nonce);
    }

    /** Which of two writes a tenure rather knows to be applied, where it has got no answer to either: one that was applied, or the later. */
    private Sent rather(Sent earlier, Sent later) {
        boolean onlyEarlier = state.isTrue("applied", earlier.name()) && !state.isTrue("applied", later.name());
        return onlyEarlier ? earlier : later;
    }

    /** A tenure takes a write for applied, although nobody has seen the answer. */
    private void believe(String nonce, String write) {
        take(state.name("record").equals(write) ? "ReadBack" : "Confirm", Map.of(), nonce, write);
    }

    /** Its generator has moved; between two pauses, a thread takes one step at most. */
    private void draw(String nonce, Used now) {
        boolean steppedBack = now.line() != state.isTrue("line", nonce);
        boolean took = steppedBack
                ? now.used() > 0
                : now.tick() != state.number("tick", nonce) || now.used() != state.number("used", nonce);
        if (steppedBack || took) {
            requireServing(nonce);
        }
        if (steppedBack) {
            take("StepBack", Map.of(), nonce, now.tick());
        }
        if (took) {
            take("Take", Map.of(), nonce, now.tick(), now.used(), false);
        }
        requireSame(took ? "Take" : "StepBack", nonce, now);
    }

    private void take(String action, Map<String, Object> then, Object... arguments) {
        story.addLast(
                state.inWords(action, then, arguments).replaceFirst("; the watched ID.*", "")); // nobody watches one
        if (story.size() > STEPS_TOLD) {
            story.removeFirst();
        }
        state.take(action, then, arguments).ifPresent(refusal -> {
            throw noStep(action, refusal.guard(), refusal.words());
        });
        counter.accept(action);
    }

    /** Throws {@link NoStep} where the invariant does not hold: then the proof is wrong, or what evaluates the model here. */
    void requireInvariant() {
        if (!outOfSight) {
            state.broken().ifPresent(part -> {
                throw noStep("invariant " + part.name(), Optional.empty(), part.words());
            });
        }
    }

    private NoStep noStep(String action, Optional<String> guard, String what) {
        return new NoStep(action, guard, path + ": " + what + "\n  " + String.join("\n  ", story));
    }
}
