package org.idallocator.zk.node;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.zk.settings.Shown;

/** Says of a field that is of another kind than its payload has there what it holds, and what it must be. */
final class Mismatch {
    private Mismatch() {}

    /** {@code ceiling must be a whole number of 64 bits: "x"}; empty where the payload is nothing that has fields. */
    static Optional<String> inWords(JsonMappingException e, JsonNode payload, Class<?> type) {
        return e.getPath().stream()
                .findFirst()
                .flatMap(place -> component(type, String.valueOf(place.getFieldName())))
                .map(field -> inWords(field.getName(), payload, field.getType()));
    }

    private static Optional<RecordComponent> component(Class<?> type, String name) {
        return Stream.of(type.getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .findFirst();
    }

    private static String inWords(String field, JsonNode payload, Class<?> type) {
        return payload.has(field)
                ? field + " must be " + allowed(type) + ": " + Shown.of(payload.get(field))
                : field + " is missing";
    }

    private static String allowed(Class<?> type) {
        if (type == Instant.class) {
            return "a time such as 2024-01-01T00:00:00Z";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == int.class || type == Integer.class) {
            return "a whole number of 32 bits";
        }
        return type == long.class || type == Long.class ? "a whole number of 64 bits" : "a text";
    }
}
