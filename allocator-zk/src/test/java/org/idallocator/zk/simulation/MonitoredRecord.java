package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.idallocator.core.generator.SequenceView;
import org.idallocator.core.generator.SequenceView.Used;
import org.idallocator.core.generator.SnoSnapshot;
import org.idallocator.zk.model.ModelState;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Store.Op;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;

/** The record of one slot: which of the model's writes it holds, and which were sent. */
final class MonitoredRecord {
    static final String UNUSED = "unused";
    static final String NOBODY = "nobody";

    private static final Set<String> OWNED = Set.of("claim", "renewal");

    private final String path;
    private final ModelState state;
    private final MonitoredEras eras;
    private final Map<String, List<Sent>> sent = new HashMap<>(); // by what they write
    private final Map<String, List<Sent>> owned = new HashMap<>(); // the claim and the renewals of a tenure, in order
    private final Map<String, String> strangers = new HashMap<>(); // what nobody is known to have sent, by what it says
    private final Map<Long, String> made = new HashMap<>(Map.of(0L, UNUSED)); // the write that made a version
    private int count;

    /**
     * How many versions more than the node the model has: whoever makes the node with a record in it writes one, to the
     * model.
     */
    private long more;

    MonitoredRecord(String path, ModelState state, MonitoredEras eras) {
        this.path = path;
        this.state = state;
        this.eras = eras;
    }

    /**
     * A write that was sent.
     *
     * @param name what the model calls it
     * @param data what is written
     * @param on the version that its writer has seen
     * @param under the era that it depends on
     * @param saw the record that its writer has seen
     * @param makes whether it makes the record
     */
    record Sent(String name, String data, long on, long under, String saw, boolean makes) {

        /** The state as its writer has seen it: where the record was written since, this is never applied. */
        Map<String, Object> asSeen() {
            return Map.of("version", on, "record", saw);
        }
    }

    /** What the model knows as nobody's: the record of a slot that nobody has used. */
    static void sayUnused(ModelState state) {
        state.fix("unused", UNUSED);
        state.fixOf("verb", UNUSED, "none");
        state.fixOf("by", UNUSED, NOBODY);
        state.fixOf("on", UNUSED, -1L);
        state.fixOf("ceilingOf", UNUSED, -1L);
        state.fixOf("usedUpTo", UNUSED, -1L);
        state.fixOf("snap", UNUSED, false);
        state.fixOf("under", UNUSED, 0L);
        state.fixOf("stranger", UNUSED, false);
    }

    /** A payload of this record, whatever version wrote it. */
    static SlotRecord understood(String path, String data) {
        return Payloads.read(path, NextVersion.understood(data), SlotRecord.class);
    }

    /**
     * The version that a request is conditional on. One without that condition should be on the version that was read
     * last.
     */
    long on(RecordRequest request) {
        if (request.first()) {
            return 0;
        }
        return more
                + (request.op() instanceof Op.Write write && write.version().isPresent()
                        ? write.version().getAsInt()
                        : request.seen().map(Store.Node::version).orElse(0));
    }

    /** The same request, if it was sent before: it may be applied at any time, as it might have been anyway. */
    Optional<Sent> again(RecordRequest request, long on, long under) {
        return sent(request.data())
                .filter(each -> each.on() == on && each.under() == under)
                .findFirst();
    }

    /** A request is sent; {@code by} is the tenure that sends it. Its verb is still to be said. */
    Sent add(RecordRequest request, long on, long under, String by) {
        String saw = saw(request, on);
        Sent now = new Sent("write " + ++count, request.data(), on, under, saw, request.makes());
        sent.computeIfAbsent(request.data(), data -> new ArrayList<>()).add(now);
        say(now.name(), request.record(), by, under, false);
        state.fixOf("on", now.name(), on);
        state.fixOf("saw", now.name(), saw);
        return now;
    }

    private Stream<Sent> sent(String data) {
        return sent.getOrDefault(data, List.of()).stream();
    }

    /** Says what a write is for. */
    void sayVerb(Sent write, String verb) {
        state.fixOf("verb", write.name(), verb);
        if (OWNED.contains(verb)) {
            owned.computeIfAbsent(state.name("by", write.name()), by -> new ArrayList<>())
                    .add(write);
        }
    }

    private String saw(RecordRequest request, long on) {
        return request.first()
                ? UNUSED
                : request.seen()
                        .map(node -> knownOrStranger(node.data(), node.version() + more))
                        .orElse(made.getOrDefault(on, UNUSED));
    }

    private void say(String name, SlotRecord record, String by, long under, boolean stranger) {
        state.fixOf("by", name, by);
        state.fixOf("ceilingOf", name, record.ceiling());
        state.fixOf("usedUpTo", name, usedUpTo(record));
        state.fixOf("snap", name, record.snapshot() != null);
        state.fixOf("under", name, under);
        state.fixOf("stranger", name, stranger);
        if (record.snapshot() != null) {
            saySnapshot(name, record, by);
        }
    }

    private long usedUpTo(SlotRecord record) {
        return record.isRetired()
                ? Math.min(record.ceiling(), eras.lastBefore(record.reservedThrough()))
                : record.ceiling();
    }

    /**
     * A snapshot has no form for a tick of which nothing is used, nor for the time before all ticks: it says more then.
     */
    private void saySnapshot(String write, SlotRecord record, String by) {
        Used told = SequenceView.used(Json.value(Objects.requireNonNull(record.snapshot()), SnoSnapshot.class));
        long used = state.number("used", by);
        long safe = state.number("safe", by);
        state.fixOf("snapFloor", write, Objects.requireNonNull(record.floor()));
        state.fixOf("snapTick", write, told.tick());
        state.fixOf("snapLine", write, told.line());
        state.fixOf("snapUsed", write, used <= 1 && told.used() >= used ? used : told.used());
        state.fixOf("snapSafe", write, safe < 0 && told.safe() == 0 ? safe : told.safe());
    }

    /** What the model calls a record that says this, at this version. */
    private String knownOrStranger(String data, long version) {
        return known(data, version).orElseGet(() -> stranger(data));
    }

    /** The same; empty where nobody is known to have written that. */
    private Optional<String> known(String data, long version) {
        return find(data, version - 1, each -> state.isTrue("applied", each.name()))
                .map(Sent::name)
                .or(() -> Optional.ofNullable(strangers.get(data)))
                .or(() -> isUnused(data) ? Optional.of(UNUSED) : Optional.empty());
    }

    private boolean isUnused(String data) {
        SlotRecord record = understood(path, data);
        return record.nonce().isEmpty() && !record.isRetired();
    }

    /** A record that the model knows nothing of: of another slot, or of a history that is lost. */
    private String stranger(String data) {
        SlotRecord record = understood(path, data);
        String name = "stranger " + (strangers.size() + 1);
        strangers.put(data, name);
        say(name, record, NOBODY, 0, true);
        state.fixOf("verb", name, record.isRetired() ? "retirement" : "raising");
        return name;
    }

    /**
     * The write of this, if anybody has sent such a one: rather the one on this version, in the era that there is. Only
     * a version of before there were bits sends the same twice.
     */
    private Optional<Sent> find(String data, long on, Predicate<Sent> such) {
        long era = state.number("era");
        return sent(data)
                .filter(such)
                .max(Comparator.comparing((Sent each) -> each.on() == on).thenComparing(each -> each.under() == era));
    }

    /** The write that an operation has just applied; {@code anyVersion} is whether it may have been sent on any. */
    Optional<Sent> applied(Op op, boolean anyVersion) {
        long version = state.number("version");
        if (op instanceof Op.Create create) {
            return find(create.data(), version, Sent::makes);
        }
        return op instanceof Op.Write write
                ? find(
                        write.data(),
                        version,
                        each -> !each.makes() && (anyVersion || write.version().isEmpty() || each.on() == version))
                : Optional.empty();
    }

    /** A write has made the present version. */
    void made(Sent write) {
        more = write.makes() ? 1 : more;
        made.put(state.number("version"), write.name());
    }

    /** From now on the record is this, at the node's own version. */
    void restart(long version, String record) {
        made.clear();
        made.put(version, record);
        more = 0;
    }

    /** Whether the node is what the model has. */
    boolean isAsInTheModel(Optional<Znode> node) {
        String record = state.name("record");
        long version = state.number("version");
        return node.map(there -> there.version() + more == version
                        && known(there.data(), version).equals(Optional.of(record)))
                .orElse(version == 0 && record.equals(UNUSED));
    }

    /** What the model calls the record that this node holds; empty is what nobody has used. */
    String nameOf(Optional<Znode> node) {
        return node.map(there -> knownOrStranger(there.data(), there.version())).orElse(UNUSED);
    }

    /** Whether a write is the claim or a renewal of a tenure. */
    boolean isOf(String nonce, String write) {
        return OWNED.contains(state.name("verb", write))
                && state.name("by", write).equals(nonce);
    }

    /**
     * The claim, or the renewal, that a tenure takes for applied without having got an answer to it, if there is such a
     * one: rather one that was applied, or else the last.
     */
    Optional<String> believed(String nonce, Predicate<Sent> such) {
        return owned.getOrDefault(nonce, List.of()).stream()
                .filter(such)
                .reduce((earlier, later) -> isOnlyApplied(earlier, later) ? earlier : later)
                .map(Sent::name);
    }

    private boolean isOnlyApplied(Sent one, Sent other) {
        return state.isTrue("applied", one.name()) && !state.isTrue("applied", other.name());
    }
}
