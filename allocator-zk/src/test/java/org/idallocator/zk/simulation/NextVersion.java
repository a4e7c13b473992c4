package org.idallocator.zk.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Version;

/**
 * A store that makes a replica, or an operator, one of the next version. What the lease loop writes gets the fields
 * that the next version has, and what is read loses them. A record has two: {@code slotNote}, which a slot keeps for
 * ever, and {@code author}, the tenure that wrote it.
 */
final class NextVersion extends ChangingStore {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int NEXT = Version.OURS + 1;
    private static final String VERSION = "version";
    private static final String READABLE_FROM = "readableFrom";
    private static final String SLOT_NOTE = "slotNote";
    private static final String AUTHOR = "author";
    private static final String CEILING = "ceiling";
    private static final String END = "end";

    private final ToLongFunction<String> lastWrite;
    private final String name;
    private final boolean apart;
    private final Map<String, Noted> notes = new HashMap<>();
    private int made;

    /**
     * What a slot's record said.
     *
     * @param transaction which wrote the record; 0 where this store has just made the note
     */
    private record Noted(String note, long transaction) {}

    /**
     * A store of the next version.
     *
     * @param lastWrite says which transaction last wrote a node, as that was just read
     * @param apart whether only the next version understands its records: they have the ceiling in another field
     */
    NextVersion(Store store, ToLongFunction<String> lastWrite, String name, boolean apart) {
        super(store);
        this.lastWrite = lastWrite;
        this.name = name;
        this.apart = apart;
    }

    @Override
    String seen(String path, String data) {
        if (!isPayload(data)) {
            return data;
        }
        ObjectNode fields = parsed(data);
        remember(path, fields, lastWrite.applyAsLong(path));
        return stripped(fields).toString();
    }

    /** A server that is behind may show an older node. */
    private void remember(String path, ObjectNode fields, long transaction) {
        Noted known = notes.get(path);
        if (fields.has(SLOT_NOTE) && (known == null || known.transaction() <= transaction)) {
            notes.put(path, new Noted(fields.get(SLOT_NOTE).asText(), transaction));
        }
    }

    @Override
    String sent(String path, String data) {
        if (!isPayload(data)) {
            return data;
        }
        ObjectNode fields = parsed(data);
        boolean record = path.contains("/records/");
        fields.put(VERSION, NEXT).put(READABLE_FROM, record && apart ? NEXT : 1);
        if (record) {
            Noted noted = notes.computeIfAbsent(path, slot -> new Noted(name + "-" + made++, 0));
            fields.put(SLOT_NOTE, noted.note()).put(AUTHOR, fields.get("nonce").asText());
        } else {
            fields.put("colour", "of money");
        }
        if (record && apart) {
            fields.put(END, fields.get(CEILING).asLong()).put(CEILING, -1);
        }
        return fields.toString();
    }

    private static ObjectNode stripped(ObjectNode fields) {
        if (fields.has(END)) {
            fields.put(CEILING, fields.get(END).asLong());
        }
        fields.put(VERSION, Math.min(fields.get(VERSION).asInt(), Version.OURS));
        fields.remove(List.of(READABLE_FROM, SLOT_NOTE, AUTHOR, END, "colour"));
        return fields;
    }

    /** A payload as this version has it, whatever version wrote it. */
    static String understood(String data) {
        return stripped(parsed(data)).toString();
    }

    /**
     * What the record says of its slot for ever, empty where no next version has written yet. Throws {@link Violation}
     * where a record has the number of the next version, and the next version has not written it.
     */
    static Optional<String> slotNote(String path, String data) {
        ObjectNode fields = parsed(data);
        if (fields.get(VERSION).asInt() == NEXT && !fields.get(AUTHOR).equals(fields.get("nonce"))) {
            throw new Violation(path + " was not written by the version whose number it has: " + data);
        }
        return Optional.ofNullable(fields.get(SLOT_NOTE)).map(note -> note.asText());
    }

    /** The same payload, written by a version that drops what it does not know. */
    static String withoutUnknown(String data) {
        ObjectNode fields = parsed(data);
        fields.remove(List.of(SLOT_NOTE, AUTHOR));
        return fields.toString();
    }

    /** The same payload, with the number of the next version where that had written it before. */
    static String withNumberKept(String data) {
        ObjectNode fields = parsed(data);
        return (fields.has(SLOT_NOTE) ? fields.put(VERSION, NEXT).put(READABLE_FROM, 1) : fields).toString();
    }

    static boolean isPayload(String data) {
        return data.startsWith("{");
    }

    static ObjectNode parsed(String data) {
        try {
            return (ObjectNode) MAPPER.readTree(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(data, e);
        }
    }
}
