package org.idallocator.zk.znode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.idallocator.core.id.BadValueException;
import org.jspecify.annotations.Nullable;

/**
 * The version of all shapes together, and the rule by which replicas of several versions share nodes.
 *
 * <p>A payload says which version wrote it ({@code version}), and from which version on it can be understood
 * ({@code readableFrom}). Who knows that version, or a later one, reads the payload and leaves out the fields that it
 * does not know. Who writes the node again keeps those fields, and puts its own version. So a later version sees that
 * fields of its own were kept and not written, and that they may tell of an earlier tenure. Who knows only earlier
 * versions neither reads the node nor writes over it: what it would take for a ceiling or a floor may mean something
 * else.
 *
 * <p>A payload has the number of the latest version in which its shape has changed. A payload without {@code version}
 * is of version 1. One without {@code readableFrom} can be understood from its own version on.
 */
public final class Version {
    /**
     * The first, also of payloads that do not say theirs, and what this software writes where a shape has never
     * changed.
     */
    public static final int FIRST = 1;

    /** The first in which each write of a record carries bits of its own. */
    static final int OF_WRITES = 2;

    /**
     * The first whose records say since when their writers knew that ZooKeeper had lost nothing, and the first that
     * knows long windows.
     */
    static final int OF_CONTACTS = 3;

    /** The latest version that this software knows, and what it writes in records. */
    public static final int OURS = OF_CONTACTS;

    /**
     * How far ahead earlier software than {@link #OF_CONTACTS} takes a floor to be; a longer time is malformed to it.
     * That software is as it is: this stays when the longest window changes.
     */
    private static final Duration LONGEST_BEFORE_CONTACTS = Duration.ofHours(24);

    private static final String WRITTEN = "version";
    private static final String READABLE_FROM = "readableFrom";

    private Version() {}

    /**
     * From which version on a payload can be understood; throws {@link BadValueException} where the payload says
     * nothing that could be true.
     */
    static int readableFrom(JsonNode payload) {
        int version = of(payload);
        return number(payload, READABLE_FROM, version, version);
    }

    /** Which version wrote a payload; throws as {@link #readableFrom}. */
    static int of(JsonNode payload) {
        return number(payload, WRITTEN, FIRST, Integer.MAX_VALUE);
    }

    private static int number(JsonNode payload, String field, int missing, int most) {
        JsonNode found = payload.path(field);
        if (found.isMissingNode()) {
            return missing;
        }
        boolean integral = found.isIntegralNumber() && found.canConvertToInt();
        boolean within = integral && found.intValue() >= FIRST && found.intValue() <= most;
        if (!within) {
            throw new BadValueException(field, "must be a number " + FIRST + ".." + most + ": " + found);
        }
        return found.intValue();
    }

    /**
     * The version of a node whose floor is so far ahead. Earlier software must not take a long time for damage, which
     * people would mend.
     */
    static int ofAhead(@Nullable Duration ahead) {
        return ahead != null && ahead.compareTo(LONGEST_BEFORE_CONTACTS) > 0 ? OF_CONTACTS : FIRST;
    }

    /**
     * The fields of a payload that this version does not know, unchangeable; {@code read} is null where there are none.
     */
    static Map<String, JsonNode> unknown(@Nullable Map<String, JsonNode> read) {
        return read == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(read));
    }

    /** Makes a payload what shapes have: gives it a version, and takes away what only says who may read it. */
    static void shape(JsonNode payload) {
        if (payload instanceof ObjectNode fields) {
            fields.remove(READABLE_FROM);
            if (!fields.has(WRITTEN)) {
                fields.put(WRITTEN, FIRST);
            }
        }
    }
}
