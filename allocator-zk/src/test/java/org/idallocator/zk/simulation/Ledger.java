package org.idallocator.zk.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.SlotRecord;

/**
 * Every ID of a run, and what must hold of them. No two IDs are equal. No tick of a slot is used by two tenures. Every
 * tick lies between its tenure's floor and what ZooKeeper had recorded for the tenure. Tenures of a slot reserved
 * ranges that do not meet. Tenures that went on from each other's snapshots are a line: they share ticks and a range,
 * and count as one tenure for that. A tenure whose slot an operator took away reserves no more of it. And an ID that
 * was drawn after another one sorts after that.
 *
 * <p>Throws {@link Violation} at the first ID that breaks a rule.
 */
final class Ledger {
    private static final int LATE = 50;

    private final Set<Issued> ids = new HashSet<>();
    private final Map<Tick, String> lineOfTick = new HashMap<>();
    private final Map<String, SlotRecord> lastRecord = new HashMap<>();
    private final Map<String, SlotRecord> before = new HashMap<>();
    private final Map<String, Long> recordedCeiling = new HashMap<>();
    private final Map<String, Map<String, long[]>> used = new TreeMap<>();
    private final boolean checkTenures;
    private final boolean checkRecords;
    private final boolean checkEras;
    private final Map<String, Instant> reservedThrough = new TreeMap<>();
    private final Map<String, Instant> putBack = new TreeMap<>();
    private final Map<String, Instant> usedOfNumber = new TreeMap<>();
    private final Map<String, String> eraOfTenure = new HashMap<>();
    private final Map<String, Map<String, long[]>> usedInEra = new TreeMap<>();
    private final Map<String, String> notes = new HashMap<>();
    private final Set<TakenAway> takenAway = new HashSet<>();
    private int losses;
    private int answers;
    private final Map<String, Object> aloneOf = new HashMap<>();
    private final Map<Issued, Long> shared = new HashMap<>();
    private final List<Long> lateMicros = new ArrayList<>(List.of(SimulatedClock.BEGINNING_MICROS));

    /**
     * A ledger that always looks for equal IDs.
     *
     * @param checkTenures whether tenures must not share ticks
     * @param checkRecords whether ticks must be as recorded
     * @param checkEras whether incarnations and generations of a pool must not share any time
     */
    Ledger(boolean checkTenures, boolean checkRecords, boolean checkEras) {
        this.checkTenures = checkTenures;
        this.checkRecords = checkRecords;
        this.checkEras = checkEras;
    }

    private record Issued(String scheme, long high, long low) {}

    private record Tick(String slot, long tick) {}

    private record TakenAway(String record, String tenure) {}

    /** A rule that a run has broken. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what);
        }
    }

    /**
     * A record was written, or made; what the next version notes of a slot must stay as long as there is the record.
     */
    void noted(String path, Optional<String> note, boolean created) {
        String before = created ? null : notes.get(path);
        if (before != null && !note.equals(Optional.of(before))) {
            throw new Violation(path + " lost what the next version had noted, " + before + ": " + note);
        }
        note.ifPresentOrElse(found -> notes.put(path, found), () -> notes.remove(path));
    }

    /** A record was written in an era: under one incarnation and one generation. */
    void recorded(String path, SlotRecord record, String era) {
        SlotRecord last = lastRecord.put(path, record);
        if (isPutBack(record)) {
            checkPutBack(path, record);
        } else if (last != null && last.isRetired() && !record.isRetired()) {
            throw new Violation(path + " is retired and was written by " + record.nonce());
        }
        if (!record.released() && takenAway.contains(new TakenAway(path, record.nonce()))) {
            throw new Violation(path + " was taken away from " + record.nonce() + ", which reserves more of it");
        }
        eraOfTenure.putIfAbsent(record.nonce(), era);
        if (!record.isRetired()) {
            (isPutBack(record) ? putBack : reservedThrough).merge(path, record.reservedThrough(), Floors::later);
            used(path, record.reservedThrough());
        }
        if (last != null && !last.nonce().equals(record.nonce())) {
            before.putIfAbsent(record.nonce(), last);
        }
        recordedCeiling.merge(record.nonce(), record.ceiling(), Math::max);
    }

    /**
     * A retired slot comes back above all that this ledger knows to be reserved, or issued elsewhere, of the slot's
     * number, whatever its name was then.
     */
    private void checkPutBack(String path, SlotRecord record) {
        Instant used = usedOfNumber.getOrDefault(number(path), Instant.EPOCH);
        if (record.reservedThrough().isBefore(used)) {
            throw new Violation(path + " came back below " + used + ": " + record);
        }
    }

    /** How often records went, or came back as they were earlier. */
    int losses() {
        return losses;
    }

    /** An operator has taken a slot from a tenure: it reserves no more of that slot. */
    void takenAway(String path, String tenure) {
        takenAway.add(new TakenAway(path, tenure));
    }

    /** Somebody reserves, or issues elsewhere, IDs of this record's slot up to a time. */
    void used(String path, Instant until) {
        usedOfNumber.merge(number(path), until, Floors::later);
    }

    /** A record's path without the zeros that only some layouts put before the slot's number. */
    private static String number(String path) {
        return path.replaceFirst("/0+(?=[^/]+$)", "/");
    }

    private static boolean isPutBack(SlotRecord record) {
        return record.nonce().startsWith("unretired-");
    }

    /**
     * An incarnation or a generation begins: its floor must be above all that records below this path ever reserved.
     * That of a generation must be above what slots reserve that were put back, too: their numbers may mean other IDs
     * now.
     */
    void began(String what, String path, Instant floor) {
        checkFloor(what, path, floor, reservedThrough);
        if (what.endsWith("/layout")) {
            checkFloor(what, path, floor, putBack);
        }
    }

    private void checkFloor(String what, String path, Instant floor, Map<String, Instant> reserved) {
        reserved.forEach((record, through) -> {
            if (checkEras && record.startsWith(path) && through.isAfter(floor)) {
                throw new Violation("the floor " + floor + " of " + what + " is not above " + through + ", up to which "
                        + record + " was reserved");
            }
        });
    }

    /**
     * Records went, or came back as they were earlier, so slots may not be retired, or taken away, any more. What is to
     * be seen of the rest are the floors.
     */
    void forgetRetired() {
        lastRecord.values().removeIf(SlotRecord::isRetired);
        losses++;
        takenAway.clear();
        usedOfNumber.clear();
        notes.clear();
        putBack.clear();
    }

    /**
     * A process that was copied has issued an ID after one of its own writes was confirmed: its copy does that no more.
     */
    void servesAlone(String tenure, Object process) {
        Object other = aloneOf.putIfAbsent(tenure, process);
        if (other != null && other != process) {
            throw new Violation(process + " and its copy both serve " + tenure);
        }
    }

    /**
     * An ID was handed to a caller that a copy of the process may issue as well; {@code micros} is the process's wall
     * time then.
     */
    void shared(Serving by, long high, long low, long micros) {
        shared.merge(new Issued(by.scheme().name(), high, low), micros, Math::max);
    }

    /**
     * A process that was copied issues an ID alone, and its wall time was {@code micros} before it drew. It knows
     * nothing of what copies issued until then. So the ID may be one of those: in the tick in use, while its clock is
     * behind theirs, or behind that tick, as where their clock had stepped back.
     */
    void alone(Serving by, long high, long low, long micros) {
        Long before = shared.get(new Issued(by.scheme().name(), high, low));
        TickUnit unit = by.scheme().pool().orElseThrow().unit();
        long inUse = unit.microsAt(by.scheme().tickOf(high, low));
        if (before != null && micros - Math.max(before, inUse) > unit.tickMicros()) {
            throw new Violation("issued by a copy, and again after its tick: " + slot(by) + ", " + by.tenure());
        }
    }

    /** An ID was handed to a caller. */
    void issued(Serving by, long high, long low) {
        long tick = by.scheme().tickOf(high, low);
        lateMicros.add(by.scheme().pool().orElseThrow().unit().microsAt(tick));
        if (!ids.add(new Issued(by.scheme().name(), high, low))) {
            throw new Violation("issued twice: " + slot(by) + ", tick " + tick + ", " + by.tenure());
        }
        if (checkTenures) {
            checkTenure(by, tick);
        }
        if (checkTenures && checkEras) {
            checkEra(by, tick);
        }
        if (checkRecords) {
            checkRange(by, tick);
        }
    }

    /** A caller drew an ID that was to sort after one that it had seen; both as bytes. */
    void answered(byte[] seen, byte[] got) {
        answers++;
        if (Arrays.compareUnsigned(seen, got) >= 0) {
            HexFormat hex = HexFormat.of();
            throw new Violation(
                    "does not sort after what was seen: " + hex.formatHex(seen) + ", got " + hex.formatHex(got));
        }
    }

    /** How many IDs were drawn after others. */
    int answers() {
        return answers;
    }

    private static String slot(Serving by) {
        return by.scheme().name() + " slot " + by.slot();
    }

    /**
     * The line of a tenure, named by the first of the tenures that went on from each other's snapshots up to this one.
     */
    private String line(Serving by) {
        String tenure = by.tenure();
        long floor = by.fence()
                .floorTick(); // of that tenure: each may begin above the one before it, and still go on from it
        SlotRecord last = before.get(tenure);
        int steps = 0;
        while (last != null && last.snapshot() != null && floor <= last.ceiling()) {
            tenure = last.nonce();
            floor = Objects.requireNonNull(last.floor());
            if (++steps > before.size()) {
                throw new Violation("tenures that each went on from the other's snapshot: " + slot(by) + ", " + tenure);
            }
            last = before.get(tenure);
        }
        return tenure;
    }

    /** The generation in which a tenure was claimed: in another one, a slot of the same number is another slot. */
    private String generation(Serving by) {
        String era = era(by);
        return era.substring(era.indexOf(' ') + 1);
    }

    private String era(Serving by) {
        return eraOfTenure.getOrDefault(by.tenure(), "none");
    }

    /**
     * Slots of two eras cannot be compared, but no two eras share any time: each floor is above all that was reserved
     * before.
     */
    private void checkEra(Serving by, long tick) {
        Map<String, long[]> eras = usedInEra.computeIfAbsent(by.scheme().name(), s -> new TreeMap<>());
        String mine = era(by);
        long[] range = eras.computeIfAbsent(mine, e -> new long[] {tick, tick});
        range[0] = Math.min(range[0], tick);
        range[1] = Math.max(range[1], tick);
        eras.forEach((other, used) -> {
            if (!other.equals(mine) && used[0] <= range[1] && range[0] <= used[1]) {
                throw new Violation("tick " + tick + " of " + slot(by) + ", " + by.tenure() + ", used under " + mine
                        + ": " + range[0] + ".." + range[1] + "; under " + other + ": " + used[0] + ".." + used[1]);
            }
        });
    }

    private void checkTenure(Serving by, long tick) {
        String line = line(by);
        String other = lineOfTick.putIfAbsent(new Tick(slot(by) + generation(by), tick), line);
        if (other != null && !other.equals(line)) {
            throw new Violation(
                    "tick used by two tenures: " + slot(by) + ", tick " + tick + ", " + line + " after " + other);
        }
    }

    private void checkRange(Serving by, long tick) {
        long floor = by.fence().floorTick();
        long ceiling = recordedCeiling.getOrDefault(by.tenure(), -1L);
        if (tick < floor || tick > ceiling) {
            throw new Violation("tick " + tick + " of " + slot(by) + " is not in " + floor + ".." + ceiling);
        }
        long[] range = used.computeIfAbsent(slot(by) + generation(by), s -> new HashMap<>())
                .computeIfAbsent(line(by), t -> new long[] {floor, tick});
        range[0] = Math.min(range[0], floor);
        range[1] = Math.max(range[1], tick);
    }

    /** At the end: no two tenures of a slot have ranges, from floor to last tick used, that meet. */
    void checkRanges() {
        used.forEach((slot, tenures) -> {
            List<long[]> ranges = new ArrayList<>(tenures.values());
            ranges.sort(Comparator.comparingLong(range -> range[0]));
            for (int i = 1; i < ranges.size(); i++) {
                if (ranges.get(i)[0] <= ranges.get(i - 1)[1]) {
                    throw new Violation(
                            slot + ": a tenure from " + ranges.get(i)[0] + " on and one to " + ranges.get(i - 1)[1]);
                }
            }
        });
    }

    int size() {
        return ids.size();
    }

    /** The time of one of the last IDs, in microseconds since 1970. */
    long lateMicros(Random random) {
        return lateMicros.get(lateMicros.size() - 1 - random.nextInt(Math.min(LATE, lateMicros.size())));
    }
}
