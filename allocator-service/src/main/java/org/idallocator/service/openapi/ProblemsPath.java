package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.service.draw.Media;
import org.idallocator.service.openapi.Problems.Kind;
import org.idallocator.service.problems.Guide;

/** The path of what the operations guide says of a reason, to which problems point. */
final class ProblemsPath {
    static final String TEMPLATE = "/problems/{reason}";
    private static final String EXAMPLE = FenceReason.NO_FREE_SLOT.code();

    private ProblemsPath() {}

    static PathItem item(Samples samples) {
        JsonSchema text = Schemas.typed("string");
        text.setDescription("Markdown, beginning with the reason as its heading");
        ApiResponses responses = new ApiResponses();
        Content content = new Content().addMediaType(Media.TEXT.mediaType(), Answers.media(text, List.of()));
        responses.addApiResponse("200", Answers.of("What the summary says", content));
        Problems.add(responses, List.of(Kind.BAD_REQUEST, Kind.NOT_FOUND, Kind.NOT_ACCEPTABLE, Kind.UNAVAILABLE));
        Operation get = new Operation()
                .operationId("problem")
                .summary("What a reason means for which nothing is issued, and what operators do about it")
                .addParametersItem(new PathParameter()
                        .name("reason")
                        .required(true)
                        .schema(Schemas.oneOf(Guide.reasons()))
                        .example(EXAMPLE))
                .responses(responses);
        samples.add(get, List.of(Samples.get("/problems/" + EXAMPLE)));
        return new PathItem().get(get);
    }
}
