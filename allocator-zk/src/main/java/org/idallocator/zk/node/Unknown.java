package org.idallocator.zk.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a payload that this version does not know, in their order. */
final class Unknown {
    private Unknown() {}

    /** These fields, unchangeable; {@code read} is null where a payload has none. */
    static Map<String, JsonNode> fields(@Nullable Map<String, JsonNode> read) {
        return read == null || read.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(read));
    }
}
