package org.idallocator.zk.lease;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Payloads that no replica wrote, made of one that a replica did write: with other values, fields, types and versions,
 * or with characters changed. The same random numbers make the same payloads. Not thread-safe.
 */
final class FuzzedPayloads {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int TOO_DEEP = 1_200; // for Jackson

    /** Values, as JSON, of all types, and at the bounds of those that fields have. */
    private static final List<String> VALUES = List.of("""
            null true false 0 -0 1 -1 -2 2 1.5 -0.0 1e2 1e300 1e-300 1e999999999 86400000 86400001 2147483647
            2147483648 4611686018427387903 4611686018427387904 9223372036854775807 -9223372036854775808
            9223372036854775808 123456789012345678901234567890 "" "x" "0" "7" "-1" "NaN" "true" "lost"
            "unretired-x" "a/b" ".." "a\\u0000b" "\\u001b[31m" "\\ud800" "0x" "1970-01-01T00:00:00Z"
            "1969-12-31T23:59:59Z" "2024-01-01T00:00:00Z" "2024-01-01T00:00:00.123456789Z"
            "2024-01-01T00:00:00+02:00" "9999-12-31T23:59:59.999999999Z" "+1000000000-12-31T23:59:59Z"
            "-1000000000-01-01T00:00:00Z" "2024-13-01T00:00:00Z" [] [1,2] [null] [[[]]] {} {"x":1}
            {"":{"":null}}
            """.split("\\s+"));

    /** What is no object, or hardly one. */
    private static final List<String> WHOLES = List.of(
            ("_ { } {} [] [{}] null 7 \"x\" {}{} \u0000 \ufeff{} {\"version\":2} {\"version\":1,\"readableFrom\":1}"
                            + " {\"version\":9,\"readableFrom\":9} 2024-01-01T00:00:00Z +1000000000-12-31T23:59:59Z "
                            + "{\"a\":".repeat(TOO_DEEP) + "1" + "}".repeat(TOO_DEEP) + " " + "[".repeat(TOO_DEEP) + " "
                            + "9".repeat(2_000) + " {\"x\":\"" + "y".repeat(20_000) + "\"}")
                    .replace("_", "")
                    .split(" "));

    private static final List<String> NAMES =
            List.of("version,readableFrom,nonce,ceiling,floor,snapshot,released,unknown,later,,\u0000".split(","));

    private final RandomGenerator random;

    FuzzedPayloads(RandomGenerator random) {
        this.random = random;
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** The next payload, of one that was written. */
    String next(String written) {
        if (oneIn(12)) {
            return any(WHOLES);
        }
        String changed = written;
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            changed = oneIn(4) ? changedText(changed) : changedTree(changed);
        }
        return changed;
    }

    private String changedText(String text) {
        StringBuilder changed = new StringBuilder(text);
        int at = random.nextInt(text.length() + 1);
        int end = at + random.nextInt(text.length() - at + 1);
        switch (random.nextInt(6)) {
            case 0 -> changed.setLength(at);
            case 1 -> changed.delete(at, Math.min(end, at + 1 + random.nextInt(4)));
            case 2 -> changed.insert(at, (char) random.nextInt(256));
            case 3 -> changed.insert(at, text.substring(at, end));
            case 4 ->
                changed.insert(Math.min(1, text.length()), "\"" + any(NAMES) + "\":" + any(VALUES) + ","); // doubled
            default -> {
                if (at < text.length()) {
                    changed.setCharAt(at, (char) (text.charAt(at) ^ 1 << random.nextInt(Byte.SIZE)));
                }
            }
        }
        return changed.toString();
    }

    private String changedTree(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            if (!(tree instanceof ObjectNode fields) || fields.isEmpty()) {
                return any(VALUES);
            }
            change(fields);
            return tree.toString();
        } catch (JsonProcessingException e) {
            return changedText(text);
        }
    }

    private void change(ObjectNode fields) throws JsonProcessingException {
        List<String> names = new ArrayList<>();
        fields.fieldNames().forEachRemaining(names::add);
        String name = any(names);
        JsonNode value = fields.path(name);
        switch (random.nextInt(8)) {
            case 0 -> fields.remove(name);
            case 1 -> fields.set(any(NAMES), MAPPER.readTree(any(VALUES)));
            case 2 -> fields.set(name, fields.path(any(names)));
            case 3 -> fields.put("version", random.nextInt(4)).put("readableFrom", random.nextInt(4));
            case 4 -> {
                if (value instanceof ObjectNode inner && !inner.isEmpty()) {
                    change(inner);
                } else if (value.isIntegralNumber()) {
                    fields.put(name, value.longValue() + (1L << random.nextInt(Long.SIZE)) * (oneIn(2) ? 1 : -1));
                } else {
                    fields.put(name, changedText(value.asText()));
                }
            }
            default -> fields.set(name, MAPPER.readTree(any(VALUES)));
        }
    }
}
