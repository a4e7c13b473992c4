package org.idallocator.service.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dropwizard.jackson.Jackson;

/** How answers are written as JSON, in the service and in any other program. Times are ISO 8601 texts. */
public final class AnswerMapper {
    private static final ObjectMapper MAPPER =
            Jackson.newObjectMapper().disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);

    private AnswerMapper() {}

    /** The one mapper for answers. Thread-safe; nobody may configure it any further. */
    public static ObjectMapper get() {
        return MAPPER;
    }
}
