package org.idallocator.service.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.List;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.draw.Media;

/** What answers have in common. */
final class Answers {
    private static final String CACHE_CONTROL = "Cache-Control";

    private Answers() {}

    /**
     * A named example of an answer.
     *
     * @param value a text, or what Jackson writes as JSON
     */
    record Shown(String name, Object value) {}

    /** An answer that is JSON. */
    static ApiResponse json(String description, JsonSchema schema, List<Shown> examples) {
        return of(description, new Content().addMediaType(Media.JSON.mediaType(), media(schema, examples)));
    }

    /** An answer in some media types. No cache may keep it. */
    static ApiResponse of(String description, Content content) {
        return headers(description).content(content);
    }

    /** An answer without a body. */
    static ApiResponse headers(String description) {
        JsonSchema noStore = Schemas.exactly("no-store");
        return new ApiResponse()
                .description(description)
                .addHeaderObject(CACHE_CONTROL, new Header().required(true).schema(noStore));
    }

    static MediaType media(JsonSchema schema, List<Shown> examples) {
        MediaType media = new MediaType().schema(schema);
        examples.forEach(shown -> media.addExamples(
                shown.name(), new Example().value(AnswerMapper.get().<JsonNode>valueToTree(shown.value()))));
        return media;
    }
}
