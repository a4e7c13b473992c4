package org.idallocator.dropwizard.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dropwizard.jackson.Jackson;

/** How answers are written as JSON, in the service and in any other program. Times are ISO 8601 texts. */
public final class Json {
    private static final ObjectMapper MAPPER =
            Jackson.newObjectMapper().disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);

    private Json() {}

    /** An answer as one line of JSON. The newline at its end is for people at a terminal. */
    public static String line(Object answer) {
        return line(MAPPER, answer);
    }

    static String line(ObjectMapper mapper, Object answer) {
        try {
            return mapper.writeValueAsString(answer) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer cannot be written as JSON", e);
        }
    }

    /** The one mapper for answers. Thread-safe; nobody may configure it any further. */
    public static ObjectMapper get() {
        return MAPPER;
    }
}
