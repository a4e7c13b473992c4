package org.idallocator.zk.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.idallocator.zk.store.Store;

/**
 * A store that makes a replica one of version 1, whose writes of records have no bits. It keeps those of the record
 * before, as it keeps every field that it does not know, and takes a record for its own by what that says.
 */
final class PreviousVersion extends ChangingStore {
    private static final String WRITE = "write";
    private static final String KEPT = "keptWrite";

    private final Map<String, String> written = new HashMap<>(); // by what it had become in ZooKeeper

    PreviousVersion(Store store) {
        super(store);
    }

    @Override
    String seen(String path, String data) {
        if (!isRecord(path, data)) {
            return data;
        }
        ObjectNode fields = NextVersion.parsed(data);
        return fields.path("readableFrom").asInt(1) > 1
                ? data
                : written.getOrDefault(data, renamed(fields.put("version", 1), WRITE, KEPT));
    }

    @Override
    String sent(String path, String data) {
        if (!isRecord(path, data)) {
            return data;
        }
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
