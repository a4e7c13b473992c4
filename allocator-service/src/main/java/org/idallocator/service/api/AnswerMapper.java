package org.idallocator.service.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dropwizard.jackson.Jackson;

/** How answers are written as JSON, in whatever program: times are ISO texts. */
public final class AnswerMapper {
    private static final ObjectMapper MAPPER =
            Jackson.newObjectMapper().disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);

    private AnswerMapper() {}

    /** Thread-safe; not to be configured any further. */
    public static ObjectMapper get() {
        return MAPPER;
    }
}
