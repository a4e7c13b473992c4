package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;

/** How far ahead ticks are reserved, and until when a tenure may rely on its lease: the one home of both rules. */
record Reservation(Duration window) {

    /**
     * The ceiling that a tenure may reserve: {@code now + window}, in ticks, inclusive, and never past the scheme's time. A
     * ceiling is never counted from a floor that is ahead: it must stay below the floor of a generation that begins now, see
     * {@link Terms#ahead}.
     *
     * @param micros now, as the {@link ClockJudge} read it
     */
    long ceiling(TickUnit unit, long micros) {
        return Math.min(unit.maxTick(), unit.tickAt(micros) + unit.ticksIn(window));
    }

    /** A tick that is above all that any tenure of these terms can have reserved by now, whatever became of its record. */
    long aboveAll(TickUnit unit, long micros, Terms terms) {
        Duration ahead = terms.maxClockSkew().plus(terms.ahead());
        return Math.min(unit.maxTick(), unit.tickAt(micros) + unit.ticksIn(ahead));
    }

    /**
     * The monotonic instant before which the server cannot have expired the session of a write that was sent at {@code
     * sentNanos}: 0.8 of the session timeout later, and never after the tenure's end.
     */
    long deadlineNanos(long sentNanos, Duration sessionTimeout, long endNanos) {
        long deadlineNanos = sentNanos + sessionTimeout.toNanos() / 10 * 8;
        return deadlineNanos - endNanos > 0 ? endNanos : deadlineNanos;
    }

    /** The write of the record that reserves, conditional on the version that was seen. */
    static Store.Op.Write write(Tree tree, Slot slot, SlotRecord record, int version) {
        return new Store.Op.Write(tree.record(slot), Json.write(record), version);
    }
}
