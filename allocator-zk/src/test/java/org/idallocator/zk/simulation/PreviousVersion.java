package org.idallocator.zk.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Store;

/**
 * A store that makes a replica one of version 1, whose writes of records have no bits. It keeps those of the record before, as it keeps
 * every field that it does not know, and takes a record for its own by what that says.
 */
final class PreviousVersion extends ForwardingStore {
    private static final String WRITE = "write";
    private static final String KEPT = "keptWrite";

    private final Map<String, String> written = new HashMap<>(); // by what it had become in ZooKeeper

    PreviousVersion(Store store) {
        super(store);
    }

    @Override
    public Optional<Node> read(String path) {
        return super.read(path)
                .map(node -> isRecord(path, node.data())
                        ? new Node(
                                understood(node.data()),
                                node.version(),
                                node.owner(),
                                node.childrenDeleted(),
                                node.leaderMillis())
                        : node);
    }

    private String understood(String data) {
        ObjectNode fields = NextVersion.parsed(data);
        return fields.path("readableFrom").asInt(1) > 1
                ? data
                : written.getOrDefault(data, renamed(fields.put("version", 1), WRITE, KEPT));
    }

    @Override
    public List<Written> multi(List<Op> ops) {
        return super.multi(ops.stream().map(this::changed).toList());
    }

    private Op changed(Op op) {
        if (op instanceof Op.Write write && isRecord(write.path(), write.data())) {
            return new Op.Write(write.path(), ours(write.data()), write.version());
        }
        return op instanceof Op.Create create && isRecord(create.path(), create.data())
                ? new Op.Create(create.path(), ours(create.data()), create.ephemeral())
                : op;
    }

    private String ours(String data) {
        ObjectNode fields = NextVersion.parsed(data).put("version", 1);
        fields.remove(List.of("readableFrom", WRITE));
        String ours = renamed(fields, KEPT, WRITE);
        written.put(ours, data);
        return ours;
    }

    private static String renamed(ObjectNode fields, String from, String to) {
        return (fields.has(from) ? fields.set(to, fields.remove(from)) : fields).toString();
    }

    private static boolean isRecord(String path, String data) {
        return path.contains("/records/") && NextVersion.isPayload(data);
    }
}
