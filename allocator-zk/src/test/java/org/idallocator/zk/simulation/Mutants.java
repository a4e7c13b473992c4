package org.idallocator.zk.simulation;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;

/**
 * The protocol without one of its safeguards. A store between the replica and ZooKeeper takes the safeguard out: it changes
 * what passes. Each mutant must be caught, or the tests that the real protocol passes prove little.
 */
final class Mutants {
    private static final Pattern AHEAD = Pattern.compile("\"aheadMillis\":([0-9]+)");
    private static final Pattern FLOOR = Pattern.compile("\"floor\":\"([^\"]+)\"");

    private Mutants() {}

    /** Records are written whatever their version. */
    static Store withoutVersionCondition(Store store) {
        return new Rewriting(store, write -> new Store.Op.Write(write.path(), write.data(), -1));
    }

    /** A tenure starts at the last tick of the tenure before, not above it. */
    static Store withFloorAtOldCeiling(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Optional<Node> read(String path) {
                return super.read(path).map(node -> isRecord(path) ? lowered(path, node) : node);
            }
        };
    }

    private static Store.Node lowered(String path, Store.Node node) {
        SlotRecord record = Payloads.read(path, node.data(), SlotRecord.class);
        return new Store.Node(
                ceiling(record, Math.max(-1, record.ceiling() - 1)),
                node.version(),
                node.owner(),
                node.childrenDeleted(),
                node.leaderMillis());
    }

    /**
     * A tenure does not stop at its ceiling: ZooKeeper is told a ceiling that is 900 milliseconds lower than the tenure's (or
     * one tick lower, where ticks are longer).
     */
    static Store withoutCeiling(Store store) {
        return new Rewriting(store, write -> {
            SlotRecord record = Payloads.read(write.path(), write.data(), SlotRecord.class);
            long lower = record.ceiling() - Math.max(1, 900_000 / tickMicros(write.path()));
            return record.released()
                    ? write
                    : new Store.Op.Write(write.path(), ceiling(record, lower), write.version());
        });
    }

    private static long tickMicros(String path) {
        return Schemes.all().stream()
                .filter(scheme -> path.contains("/" + scheme.name() + "/"))
                .mapToLong(scheme -> scheme.pool().orElseThrow().unit().tickMicros())
                .findFirst()
                .orElseThrow();
    }

    /** Whoever wrote believes that the write was made, whatever nonce is there. */
    static Store withoutReadBack(Store store) {
        return new Believing(store);
    }

    /** Whoever claims a slot leaves its predecessor's snapshot in the record. */
    static Store withSnapshotUsedTwice(Store store) {
        Map<String, SlotRecord> released = new HashMap<>();
        return new Rewriting(store, write -> {
            SlotRecord record = Payloads.read(write.path(), write.data(), SlotRecord.class);
            SlotRecord left = released.get(write.path());
            return record.released() || left == null
                    ? write
                    : new Store.Op.Write(write.path(), Json.write(leaving(record, left)), write.version());
        }) {
            @Override
            public Optional<Node> read(String path) {
                Optional<Node> node = super.read(path);
                node.filter(found -> isRecord(path))
                        .map(found -> Payloads.read(path, found.data(), SlotRecord.class))
                        .filter(record -> record.snapshot() != null)
                        .ifPresent(record -> released.put(path, record));
                return node;
            }
        };
    }

    private static SlotRecord leaving(SlotRecord record, SlotRecord left) {
        return new SlotRecord(
                record.version(),
                record.ceiling(),
                record.reservedThrough(),
                record.nonce(),
                true,
                left.floor(),
                left.snapshot(),
                record.write(),
                record.unknown());
    }

    /** Whoever goes on from a snapshot does not know what was used on the other value of the tick-tock bit. */
    static Store withoutWallSafe(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Optional<Node> read(String path) {
                return super.read(path)
                        .map(node -> new Node(
                                node.data().replaceFirst("\"wallSafe\":[0-9]+", "\"wallSafe\":0"),
                                node.version(),
                                node.owner(),
                                node.childrenDeleted(),
                                node.leaderMillis()));
            }
        };
    }

    /** Whoever begins an incarnation or a generation counts this many milliseconds less. */
    private static Store ahead(Store store, long less) {
        return new ForwardingStore(store) {
            @Override
            public List<Written> multi(List<Op> ops) {
                return super.multi(ops.stream().map(this::changed).toList());
            }

            private Op changed(Op op) {
                if (op instanceof Op.Write write && begins(write.path())) {
                    return new Op.Write(write.path(), lower(write.data()), write.version());
                }
                return op instanceof Op.Create create && begins(create.path())
                        ? new Op.Create(create.path(), lower(create.data()), create.ephemeral())
                        : op;
            }

            private boolean begins(String path) {
                return path.endsWith("/meta") || path.endsWith("/layout");
            }

            private String lower(String data) {
                Matcher ahead = AHEAD.matcher(withFloorLowered(data, less));
                return ahead.replaceFirst(found -> "\"aheadMillis\":" + (Long.parseLong(found.group(1)) - less));
            }
        };
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
                                ? new Node(
                                        withFloorLowered(node.data(), 8_000),
                                        node.version(),
                                        node.owner(),
                                        node.childrenDeleted(),
                                        node.leaderMillis() - 8_000)
                                : node);
            }
        };
    }

    /** A slot that stays retired in a new layout forgets under its new name what was reserved of it. */
    static Store withRelayoutThatForgets(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<Written> multi(List<Op> ops) {
                boolean relayout = ops.stream().anyMatch(op -> op.path().contains("/layout/relayout-"));
                return super.multi(
                        relayout ? ops.stream().map(Mutants::forgetful).toList() : ops);
            }
        };
    }

    private static Store.Op forgetful(Store.Op op) {
        if (op instanceof Store.Op.Write write && isRecord(write.path())) {
            return new Store.Op.Write(write.path(), forgetful(write.path(), write.data()), write.version());
        }
        return op instanceof Store.Op.Create create && isRecord(create.path())
                ? new Store.Op.Create(create.path(), forgetful(create.path(), create.data()), create.ephemeral())
                : op;
    }

    private static String forgetful(String path, String data) {
        SlotRecord record = Payloads.read(path, data, SlotRecord.class);
        return Json.write(new SlotRecord(
                record.version(),
                record.ceiling(),
                Instant.EPOCH,
                record.nonce(),
                record.released(),
                record.floor(),
                record.snapshot(),
                record.write(),
                record.unknown()));
    }

    /** Whoever writes a record drops the fields of later versions. */
    static Store withoutUnknownFields(Store store) {
        return new Rewriting(
                store,
                write -> new Store.Op.Write(write.path(), NextVersion.withoutUnknown(write.data()), write.version()));
    }

    /** Whoever writes a record of a later version leaves that version's number in it. */
    static Store withNumberKept(Store store) {
        return new Rewriting(
                store,
                write -> new Store.Op.Write(write.path(), NextVersion.withNumberKept(write.data()), write.version()));
    }

    /** Records are read that only later versions understand. */
    static Store withoutReadableFrom(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Optional<Node> read(String path) {
                return super.read(path)
                        .map(node -> new Node(
                                node.data().replace("\"readableFrom\":3", "\"readableFrom\":1"),
                                node.version(),
                                node.owner(),
                                node.childrenDeleted(),
                                node.leaderMillis()));
            }
        };
    }

    /** Records are created and written whatever the nodes whose paths contain {@code of} say. */
    static Store withoutChecks(Store store, String of) {
        return new ForwardingStore(store) {
            @Override
            public List<Written> multi(List<Op> ops) {
                boolean writes = ops.stream()
                        .anyMatch(op -> (op instanceof Op.Write || op instanceof Op.Create) && isRecord(op.path()));
                return super.multi(ops.stream()
                        .filter(op -> !writes
                                || !(op instanceof Op.Check)
                                || !op.path().contains(of))
                        .toList());
            }
        };
    }

    private static String ceiling(SlotRecord record, long ceiling) {
        return Json.write(new SlotRecord(
                record.version(),
                ceiling,
                record.reservedThrough(),
                record.nonce(),
                record.released(),
                record.floor(),
                record.snapshot(),
                record.write(),
                record.unknown()));
    }

    private static boolean isRecord(String path) {
        return path.contains("/records/");
    }

    /** Changes writes to records. */
    private static class Rewriting extends ForwardingStore {
        private final UnaryOperator<Op.Write> change;

        Rewriting(Store store, UnaryOperator<Op.Write> change) {
            super(store);
            this.change = change;
        }

        @Override
        public List<Written> multi(List<Op> ops) {
            return super.multi(ops.stream().map(this::changed).toList());
        }

        private Op changed(Op op) {
            return op instanceof Op.Write write && isRecord(op.path()) ? change.apply(write) : op;
        }
    }

    /** Shows leases and records as this client last tried to write them, at the versions that they really have. */
    private static final class Believing extends ForwardingStore {
        private final Map<String, String> tried = new HashMap<>();
        private boolean resolving;

        Believing(Store store) {
            super(store);
        }

        @Override
        public void sync(String path) {
            super.sync(path);
            resolving = isRecord(path); // the one place that reads back syncs first
        }

        @Override
        public List<Written> multi(List<Op> ops) {
            resolving = false;
            for (Op op : ops) {
                if (op instanceof Op.Write write && isRecord(op.path())) {
                    tried.put(op.path(), write.data());
                } else if (op instanceof Op.Create create) {
                    tried.put(op.path(), create.data());
                }
            }
            return super.multi(ops);
        }

        @Override
        public Optional<Node> read(String path) {
            Optional<Node> found = super.read(path);
            String believed = tried.get(path);
            if (!resolving || believed == null) {
                return found;
            }
            int version = found.map(Node::version).orElse(0);
            return Optional.of(new Node(believed, version, isRecord(path) ? 0 : session(), false, 0));
        }
    }
}
