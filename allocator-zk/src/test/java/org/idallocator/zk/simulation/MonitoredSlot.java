package org.idallocator.zk.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.generator.SequenceView.Used;
import org.idallocator.zk.model.ModelState;
import org.idallocator.zk.simulation.MonitoredRecord.Sent;
import org.idallocator.zk.simulation.PoolEras.Begun;
import org.idallocator.zk.simulation.PoolEras.Dependence;
import org.idallocator.zk.simulation.PoolEras.EraName;
import org.idallocator.zk.simulation.RecordRequest.Purpose;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store.Op;

/**
 * One slot, beside a state of {@code Eras.model}: each step that the code takes is taken there, too. Throws
 * {@link NoStep} at the first that the model does not have.
 */
final class MonitoredSlot {
    private final String path;
    private final ModelSteps steps;
    private final ModelState state;
    private final MonitoredEras eras;
    private final MonitoredRecord record;
    private final MonitoredTenures tenures;
    private final Map<String, String> generations = new HashMap<>(); // of tenures
    private boolean rolledBack;
    private boolean outOfSight;

    /** A slot that nobody has used; {@code path} is that of its record. */
    MonitoredSlot(String path, ModelSteps steps, MonitoredEras eras) {
        this.path = path;
        this.steps = steps;
        this.state = steps.state();
        this.eras = eras;
        this.record = new MonitoredRecord(path, state, eras);
        this.tenures = new MonitoredTenures(steps, record);
    }

    /** Says what the model's constants are, as far as all slots have the same. No ID is watched. */
    static void sayConstants(ModelState state) {
        MonitoredRecord.sayUnused(state);
        state.fixOf("eraOf", MonitoredRecord.NOBODY, 0L);
        state.fix("firstTaker", MonitoredRecord.NOBODY);
        state.fix("idTick", 0L);
        state.fix("idLine", false);
        state.fix("idNumber", 1L);
    }

    /**
     * Whether nobody looks at the slot any more, because what is assumed was not so: where there is one history of
     * ZooKeeper, the record was changed by hand; else, an old record came back, or was deleted, and somebody went on
     * from that before meta was gone.
     */
    boolean isOutOfSight() {
        return outOfSight;
    }

    /**
     * A process sends a write of the record.
     *
     * @param millis ZooKeeper's time
     * @return the write; empty where it cannot be applied, because what it depends on has ended, or never was
     */
    Optional<Sent> send(RecordRequest request, long millis) {
        Purpose purpose = request.purpose();
        Optional<Long> under = under(request.on(), purpose, request.nonce());
        if (outOfSight || under.isEmpty() || !eras.isThere()) {
            return Optional.empty();
        }
        eras.pass(millis);
        long on = purpose == Purpose.RENEWAL ? known(request) : record.on(request);
        Optional<Sent> again = record.again(request, on, under.get());
        if (again.isPresent()) {
            return again;
        }
        request.claiming().ifPresent(tenure -> tenures.add(request.nonce(), tenure));
        Sent now = record.add(request, on, under.get(), tenures.named(request.nonce()));
        take(request, purpose, now);
        return Optional.of(now);
    }

    /**
     * The era that a write depends on. A record that a relayout makes for a slot that stays retired depends on none.
     */
    private Optional<Long> under(Dependence on, Purpose purpose, String nonce) {
        if (eras.only().isPresent()) {
            return eras.only();
        }
        Optional<String> generation = on.generation()
                .or(() -> Optional.ofNullable(generations.get(nonce)))
                .or(() -> purpose == Purpose.RETIREMENT ? Optional.empty() : on.read());
        return on.incarnation()
                .flatMap(incarnation -> generation.flatMap(name -> eras.number(new EraName(incarnation, name))));
    }

    /**
     * The version that a renewal is conditional on, or should be: whoever renews goes by what it knows, and reads
     * nothing.
     */
    private long known(RecordRequest request) {
        String nonce = request.nonce();
        tenures.requireServing(nonce);
        if (request.isConditional()) {
            tenures.requireKnown(nonce, record.on(request));
        }
        return request.isConditional() ? record.on(request) : state.number("knownVersion", nonce);
    }

    private void take(RecordRequest request, Purpose purpose, Sent now) {
        switch (purpose) {
            case CLAIM -> claim(request, now);
            case RENEWAL -> {
                goOnFromKnown(request.nonce(), now);
                steps.take("Renew", request.nonce(), now.name(), eras.latestClock());
            }
            case PROOF -> goOnFromKnown(request.nonce(), now); // a step when it is applied
            case RELEASE -> setDownOrRaise(request, now);
            case RETIREMENT -> {
                record.sayVerb(now, "retirement");
                steps.takeThen(now.asSeen(), "Retire", now.name(), eras.time());
            }
            case RETURN -> {
                record.sayVerb(now, "return");
                steps.takeThen(now.asSeen(), "Unretire", now.name());
            }
        }
    }

    private void goOnFromKnown(String nonce, Sent write) {
        record.sayVerb(write, "renewal");
        state.fixOf("saw", write.name(), state.name("known", nonce));
    }

    private void claim(RecordRequest request, Sent write) {
        MonitoredTenure tenure = request.claiming().orElseThrow();
        String nonce = request.nonce();
        record.sayVerb(write, "claim");
        request.on().generation().or(request.on()::read).ifPresent(name -> generations.put(nonce, name));
        state.fixOf("claimOf", nonce, write.name());
        state.fixOf("floor", nonce, tenure.floor());
        state.fixOf("eraOf", nonce, write.under());
        state.fixOf("windowOf", nonce, eras.window(request.terms()));
        Used start = tenure.used();
        boolean handedOver = tenure.floor() <= state.number("ceilingOf", write.saw()) || start.line();
        boolean resumes = state.isTrue("snap", write.saw()) && handedOver;
        long clock = eras.latestClock();
        steps.takeThen(write.asSeen(), "Claim", nonce, write.name(), resumes, start.used(), start.safe(), clock);
        tenures.requireSame("Claim", nonce, start);
    }

    /**
     * A tenure sets its own record down to its last tick. A record that is not its own, or does not look like it, it
     * raises.
     */
    private void setDownOrRaise(RecordRequest request, Sent write) {
        String nonce = request.nonce();
        boolean down = record.isOf(nonce, write.saw())
                && request.record().ceiling() == tenures.used(nonce).last();
        record.sayVerb(write, down ? "release" : "raising");
        if (down) {
            steps.takeThen(write.asSeen(), "Release", nonce, write.name());
        } else {
            steps.takeThen(write.asSeen(), "Raise", write.name());
        }
    }

    /** An OK has come for a write. */
    void answered(Sent write) {
        tenures.answered(write.name());
    }

    /**
     * What there is besides the record.
     *
     * @param era the era; empty where there is none
     * @param cameBack whether one is there that had ended, and came back with a backup
     * @param millis ZooKeeper's time
     */
    record Present(Optional<Begun> era, boolean cameBack, long millis) {}

    /**
     * ZooKeeper has changed.
     *
     * @param ops the operations of the transaction that has changed it; none where it was none
     * @param node the record as it is now; empty where there is none
     */
    void changed(List<Op> ops, Optional<Znode> node, Present now) {
        List<Op> writes = ops.stream()
                .filter(op -> op.path().equals(path) && (op instanceof Op.Write || op instanceof Op.Create))
                .toList();
        for (Op op : writes) {
            if (!outOfSight) {
                record.applied(op, rolledBack).ifPresent(write -> apply(write, now));
            }
        }
        if (outOfSight) {
            return;
        }
        boolean asInTheModel = record.isAsInTheModel(node);
        if (eras.only().isPresent()) {
            outOfSight = !asInTheModel;
        } else {
            follow(node, asInTheModel, writes, now);
        }
    }

    private void apply(Sent write, Present now) {
        boolean proves = write.makes() && state.name("verb", write.name()).equals("renewal");
        if (proves && eras.isThere()) {
            steps.take("Prove", state.name("by", write.name()), write.name());
            eras.end();
            rolledBack = false;
            record.restart(0, write.name());
        } else if (rolledBack || now.cameBack()) {
            outOfSight = true;
        } else if (!proves) {
            steps.take("Apply", write.name());
            record.made(write);
        }
    }

    /**
     * Ends the era, and begins the next; {@code asInTheModel} is whether the record is what the writes have made of it.
     */
    private void follow(Optional<Znode> node, boolean asInTheModel, List<Op> writes, Present now) {
        boolean ends = eras.isThere() && !eras.isPresent(now.era());
        if (ends || (!asInTheModel && !eras.isThere())) {
            eras.pass(now.millis());
            end(node, asInTheModel);
        } else if (!asInTheModel && !rolledBack && !writes.isEmpty()) {
            String what = "what depends on no era was applied in one: " + writes;
            throw steps.noStep("Apply", Optional.of("command"), what);
        } else if (!asInTheModel) {
            rolledBack = true; // as long as meta and layout are the same: they go before anybody goes on from that
        }
        if (!eras.isThere()) {
            now.era().ifPresent(eras::begin);
        }
    }

    /** The era ends, if there is one, and anything may have become of the record. */
    private void end(Optional<Znode> node, boolean asBefore) {
        long version =
                asBefore ? state.number("version") : node.map(Znode::version).orElse(0);
        String left = asBefore ? state.name("record") : record.nameOf(node);
        steps.take("End", left, version);
        eras.end();
        rolledBack = false;
        if (!asBefore) {
            record.restart(version, left);
        }
    }

    /** Takes the steps that its tenures have taken since this was done last. */
    void look() {
        if (!outOfSight) {
            tenures.look();
        }
    }

    /** Throws {@link NoStep} where the model's invariant does not hold now. */
    void requireInvariant() {
        if (!outOfSight) {
            steps.requireInvariant();
        }
    }
}
