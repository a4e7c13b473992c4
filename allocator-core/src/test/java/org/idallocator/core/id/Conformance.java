package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conformance file of a scheme; {@code docs/conformance.md} says what is in it. A key that the page does not name
 * is refused.
 */
record Conformance(
        String scheme,
        Map<String, String> source,
        @Nullable Map<String, Integer> types,
        List<Valid> valid,
        List<AlsoRead> alsoRead,
        List<Invalid> invalid,
        List<InvalidBytes> invalidBytes,
        List<InvalidFields> invalidFields,
        Order order) {
    private static final Path FILES = Path.of("..", "conformance");
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /** From here on a number of JSON may lose digits in languages that read it as floating point. */
    private static final BigInteger FIRST_INEXACT = BigInteger.ONE.shiftLeft(53);

    static Conformance of(String scheme) {
        try {
            return JSON.readValue(FILES.resolve(scheme + ".json").toFile(), Conformance.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The 64 bits of an integer that is written as the page says. */
    private static long bits(JsonNode written) {
        BigInteger value = new BigInteger(written.asText());
        boolean exact = value.abs().compareTo(FIRST_INEXACT) < 0;
        assertEquals(!exact, written.isTextual(), () -> "a string from 2^53 on: " + written);
        return value.longValue();
    }

    record Valid(
            boolean decodeOnly,
            Fields fields,
            JsonNode timeUnixUs,
            String bytes,
            Map<String, String> forms,
            @Nullable String note) {

        String text(String form) {
            return Objects.requireNonNull(forms.get(form), form);
        }

        Instant time() {
            return Instant.EPOCH.plus(bits(timeUnixUs), ChronoUnit.MICROS);
        }
    }

    /** Fields of an ID by their names, in the order of their bits. */
    record Fields(Map<String, JsonNode> values) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Fields {}

        List<String> names() {
            return List.copyOf(values.keySet());
        }

        long get(String name) {
            return bits(Objects.requireNonNull(values.get(name), name));
        }

        int integer(String name) {
            return Math.toIntExact(get(name));
        }
    }

    record AlsoRead(String form, String text, String canonical) {}

    record Invalid(
            String form,
            @Nullable String type,
            String text,
            String reason,
            @Nullable String note,
            boolean originalReads) {}

    record InvalidBytes(String bytes, String reason) {}

    record InvalidFields(Fields fields, String reason) {}

    record Order(
            List<String> sorted,
            List<String> alike,
            @Nullable List<Otherwise> otherwise,
            @Nullable List<String> sortedByTime) {

        /** None where everything sorts as the IDs do. */
        @Override
        public List<Otherwise> otherwise() {
            return otherwise == null ? List.of() : otherwise;
        }

        boolean isAlike(String key) {
            return alike.contains(key);
        }
    }

    record Otherwise(String by, String smaller, String larger) {}
}
