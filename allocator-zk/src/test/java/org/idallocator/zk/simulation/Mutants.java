package org.idallocator.zk.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Iterables;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;

/**
 * The protocol without one of its safeguards. A store between the replica and ZooKeeper takes the safeguard out: it
 * changes what passes. Each mutant must be caught, or the tests that the real protocol passes prove little.
 */
final class Mutants {
    private static final Pattern AHEAD = Pattern.compile("\"aheadMillis\":([0-9]+)");
    private static final Pattern FLOOR = Pattern.compile("\"floor\":\"([^\"]+)\"");

    private Mutants() {}

    private static String asItIs(String path, String data) {
        return data;
    }

    /** Changes the records that pass, and nothing else. */
    private static BinaryOperator<String> ofRecords(BinaryOperator<String> change) {
        return (path, data) -> isRecord(path) ? change.apply(path, data) : data;
    }

    private static Store reading(Store store, BinaryOperator<String> change) {
        return ChangingStore.of(store, ofRecords(change), Mutants::asItIs);
    }

    private static Store writing(Store store, BinaryOperator<String> change) {
        return ChangingStore.of(store, Mutants::asItIs, ofRecords(change));
    }

    /** Changes transactions. */
    private static Store sending(Store store, UnaryOperator<List<Store.Op>> change) {
        return new ForwardingStore(store) {
            @Override
            public Outcome.Sent send(Transaction transaction) {
                List<Op> ops = change.apply(transaction.ops());
                Outcome.Sent outcome =
                        super.send(new Transaction(ops, transaction.on(), null)); // its witness is read back above
                return outcome instanceof Outcome.NotApplied refused
                        ? new Outcome.NotApplied(indexOf(ops.get(refused.op()), transaction.ops()), refused.why())
                        : outcome;
            }
        };
    }

    /** Where an operation was before it was changed. */
    private static int indexOf(Store.Op op, List<Store.Op> before) {
        return Iterables.indexOf(
                before, was -> was.path().equals(op.path()) && was.getClass().equals(op.getClass()));
    }

    private static String withCeiling(String data, ToLongFunction<ObjectNode> ceiling) {
        ObjectNode record = NextVersion.parsed(data);
        return record.put("ceiling", ceiling.applyAsLong(record)).toString();
    }

    private static boolean released(ObjectNode record) {
        return record.get("released").asBoolean();
    }

    /** Records are written whatever their version. */
    static Store withoutVersionCondition(Store store) {
        return sending(
                store,
                ops -> ops.stream()
                        .map(op -> op instanceof Store.Op.Write write && isRecord(op.path())
                                ? Store.Op.Write.whateverVersion(op.path(), write.data())
                                : op)
                        .toList());
    }

    /**
     * A tenure starts at the last tick of the tenure before, not above it. Whoever reads its own record back reads what
     * is there.
     */
    static Store withFloorAtOldCeiling(Store store) {
        Set<String> own = new HashSet<>();
        BinaryOperator<String> read = (path, data) -> own.contains(nonce(data))
                ? data
                : withCeiling(data, record -> Math.max(-1, record.get("ceiling").asLong() - 1));
        BinaryOperator<String> written = (path, data) -> {
            own.add(nonce(data));
            return data;
        };
        return ChangingStore.of(store, ofRecords(read), ofRecords(written));
    }

    private static String nonce(String record) {
        return NextVersion.parsed(record).get("nonce").asText();
    }

    /**
     * A tenure does not stop at its ceiling: ZooKeeper is told a ceiling that is 900 milliseconds lower than the
     * tenure's (or one tick lower, where ticks are longer).
     */
    static Store withoutCeiling(Store store) {
        return writing(
                store,
                (path, data) -> withCeiling(
                        data,
                        record -> record.get("ceiling").asLong()
                                - (released(record) ? 0 : Math.max(1, 900_000 / tickMicros(path)))));
    }

    private static long tickMicros(String path) {
        return Schemes.all().stream()
                .filter(scheme -> path.contains("/" + scheme.name() + "/"))
                .mapToLong(scheme -> scheme.pool().orElseThrow().unit().tickMicros())
                .findFirst()
                .orElseThrow();
    }

    /**
     * No mutant: whatever got no answer is sent once more, as by a proxy that means well, and what comes back then is
     * told. So a success may come back as a refusal. That may cost a slot until a session ends, and never an ID.
     */
    static Store withRepetitions(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Outcome.Sent send(Transaction transaction) {
                Outcome.Sent outcome = super.send(transaction);
                return outcome instanceof Outcome.Unknown ? super.send(transaction) : outcome;
            }
        };
    }

    /**
     * A refusal is taken for success: whoever was refused believes that each write has left the version that it asked
     * for.
     */
    static Store withRefusalsBelieved(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Outcome.Sent send(Transaction transaction) {
                Outcome.Sent outcome = super.send(transaction);
                return outcome instanceof Outcome.NotApplied ? asIfApplied(transaction) : outcome;
            }
        };
    }

    private static Outcome.Sent asIfApplied(Transaction transaction) {
        return new Outcome.Confirmed(transaction.ops().stream()
                .filter(Store.Op.Write.class::isInstance)
                .map(op -> new Store.Written(((Store.Op.Write) op).version().orElse(0) + 1, 0))
                .toList());
    }

    /** Whoever wrote believes that the write was made, whatever nonce is there. */
    static Store withoutReadBack(Store store) {
        return new Believing(store);
    }

    /** Whoever claims a slot leaves its predecessor's snapshot in the record. */
    static Store withSnapshotUsedTwice(Store store) {
        Map<String, ObjectNode> left = new HashMap<>();
        BinaryOperator<String> read = (path, data) -> {
            ObjectNode record = NextVersion.parsed(data);
            if (record.has("snapshot")) {
                left.put(path, record);
            }
            return data;
        };
        BinaryOperator<String> written = (path, data) -> {
            ObjectNode record = NextVersion.parsed(data);
            ObjectNode before = left.get(path);
            return released(record) || before == null
                    ? data
                    : record.put("released", true)
                            .<ObjectNode>set("floor", before.get("floor"))
                            .set("snapshot", before.get("snapshot"))
                            .toString();
        };
        return ChangingStore.of(store, ofRecords(read), ofRecords(written));
    }

    /** Whoever goes on from a snapshot does not know what was used on the other value of the tick-tock bit. */
    static Store withoutWallSafe(Store store) {
        return reading(store, (path, data) -> data.replaceFirst("\"wallSafe\":[0-9]+", "\"wallSafe\":0"));
    }

    /** Whoever begins an incarnation or a generation counts this many milliseconds less. */
    private static Store ahead(Store store, long less) {
        return ChangingStore.of(store, Mutants::asItIs, (path, data) -> {
            if (!path.endsWith("/meta") && !path.endsWith("/layout")) {
                return data;
            }
            Matcher ahead = AHEAD.matcher(withFloorLowered(data, less));
            return ahead.replaceFirst(found -> "\"aheadMillis\":" + (Long.parseLong(found.group(1)) - less));
        });
    }

    /** Floors do not count the window. */
    static Store withFloorsWithoutWindow(Store store, AllocatorSettings settings) {
        return ahead(store, settings.window().toMillis());
    }

    /** Floors do not count the skew: they are above what was reserved by clocks that were right. */
    static Store withFloorsWithoutSkew(Store store, AllocatorSettings settings) {
        return ahead(store, 2 * settings.maxClockSkew().toMillis());
    }

    private static String withFloorLowered(String data, long millis) {
        return FLOOR.matcher(data)
                .replaceFirst(found -> "\"floor\":\""
                        + Floors.later(
                                Instant.EPOCH, Instant.parse(found.group(1)).minusMillis(millis)) + "\"");
    }

    /** Meta's floor is counted from eight seconds before meta was written. */
    static Store withFloorFromEarlierTime(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Optional<Node> read(String path) {
                return super.read(path)
                        .map(node -> path.endsWith("/meta")
                                ? ChangingStore.with(
                                        node, withFloorLowered(node.data(), 8_000), node.leaderMillis() - 8_000)
                                : node);
            }
        };
    }

    /** Whoever takes a slot away deletes its lease, and leaves its record as it is. */
    static Store withSlotsTakenByLeaseAlone(Store store) {
        return sending(
                store,
                ops -> ops.stream()
                        .filter(op -> !(op instanceof Store.Op.Write write)
                                || !write.data().contains("\"revoked-"))
                        .toList());
    }

    /** A slot that stays retired in a new layout forgets under its new name what was reserved of it. */
    static Store withRelayoutThatForgets(Store store) {
        BinaryOperator<String> forgetful = ofRecords((path, data) -> NextVersion.parsed(data)
                .put("reservedThrough", Instant.EPOCH.toString())
                .toString());
        return sending(
                store,
                ops -> ops.stream().anyMatch(op -> op.path().contains("/layout/relayout-"))
                        ? ChangingStore.changed(ops, forgetful)
                        : ops);
    }

    /** Whoever writes a record drops the fields of later versions. */
    static Store withoutUnknownFields(Store store) {
        return writing(store, (path, data) -> NextVersion.withoutUnknown(data));
    }

    /** Whoever writes a record of a later version leaves that version's number in it. */
    static Store withNumberKept(Store store) {
        return writing(store, (path, data) -> NextVersion.withNumberKept(data));
    }

    /** Records are read that only later versions understand. */
    static Store withoutReadableFrom(Store store) {
        return reading(store, (path, data) -> data.replace("\"readableFrom\":4", "\"readableFrom\":1"));
    }

    /** Records are created and written whatever the nodes whose paths contain {@code of} say. */
    static Store withoutChecks(Store store, String of) {
        return sending(store, ops -> {
            boolean writes = ops.stream()
                    .anyMatch(op ->
                            (op instanceof Store.Op.Write || op instanceof Store.Op.Create) && isRecord(op.path()));
            return ops.stream()
                    .filter(op -> !writes
                            || !(op instanceof Store.Op.Check)
                            || !op.path().contains(of))
                    .toList();
        });
    }

    private static boolean isRecord(String path) {
        return path.contains("/records/");
    }

    /** Takes whatever was sent for applied, where no answer comes. */
    private static final class Believing extends ForwardingStore {
        Believing(Store store) {
            super(store);
        }

        @Override
        public Outcome commit(Transaction transaction) {
            Outcome.Sent answer = super.send(transaction);
            return answer instanceof Outcome.Unknown && transaction.witness() != null
                    ? new Outcome.FoundApplied(0)
                    : answer;
        }
    }
}
