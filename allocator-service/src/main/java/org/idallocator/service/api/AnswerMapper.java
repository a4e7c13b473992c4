package org.idallocator.service.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dropwizard.jackson.Jackson;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How answers are written as JSON, in the service and in any other program. Times are ISO 8601 texts. */
public final class AnswerMapper {
    private static final ObjectMapper MAPPER =
            Jackson.newObjectMapper().disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);

    private AnswerMapper() {}

    /** An answer as one line of JSON: the newline at its end is for people at a terminal, and means nothing in JSON. */
    public static byte[] bytes(Object answer) throws JsonProcessingException {
        return bytes(MAPPER, answer);
    }

    /** The same as a text. */
    public static String line(Object answer) {
        try {
            return new String(bytes(answer), StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(ObjectMapper mapper, Object answer) throws JsonProcessingException {
        byte[] json = mapper.writeValueAsBytes(answer);
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    /** The one mapper for answers. Thread-safe; nobody may configure it any further. */
    public static ObjectMapper get() {
        return MAPPER;
    }
}
