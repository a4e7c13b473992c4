package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.service.draw.BusyException;
import org.idallocator.service.draw.Media;
import org.idallocator.service.openapi.Answers.Shown;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Refusal;

/** The answers that are problems, each declared once, under the name of its status. */
final class Problems {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String WITHOUT_BODY = "-without-body";
    private static final String OTHERS = "default";

    /** What keeps a request from being answered. */
    enum Kind {
        BAD_REQUEST(
                400, "A bad parameter, a text that is no ID, a body where none is taken, or one that cannot be read"),
        NOT_FOUND(404, "There is nothing of this name"),
        NOT_ACCEPTABLE(406, "Accept allows none of the media types"),
        TOO_SLOW(408, "The body came too slowly, or not at all"),
        TOO_LARGE(413, "The body is too large"),
        UNSUPPORTED_BODY(415, "The body is neither a form nor JSON, or is not in UTF-8"),
        UPGRADE_REQUIRED(426, "HTTP/1.0 takes no answer whose length is not known before it is drawn"),
        UNAVAILABLE(503, "Nothing is issued now, or as much is done as the limits allow, and why");

        private final int status;
        private final String description;

        Kind(int status, String description) {
            this.status = status;
            this.description = description;
        }

        String status() {
            return Integer.toString(status);
        }
    }

    private Problems() {}

    /** Declares all kinds, with a body and without. {@code root} is what the routes are below, such as {@code /}. */
    static void addTo(Components components, String root) {
        for (Kind kind : Kind.values()) {
            components.addResponses(
                    kind.status(), withHeaders(kind, Answers.of(kind.description, content(kind, root))));
            components.addResponses(kind.status() + WITHOUT_BODY, withHeaders(kind, Answers.headers(kind.description)));
        }
        components.addResponses(
                OTHERS,
                new ApiResponse()
                        .description("Any other problem, such as one of the web server itself")
                        .content(content(List.of())));
    }

    /** Adds problems that an operation may answer with. */
    static void add(ApiResponses responses, List<Kind> kinds) {
        kinds.forEach(kind -> responses.addApiResponse(kind.status(), declared(kind.status())));
        responses.addApiResponse(OTHERS, declared(OTHERS));
    }

    /** The same for an operation whose answers have no body. */
    static void addWithoutBody(ApiResponses responses, List<Kind> kinds) {
        kinds.forEach(kind -> responses.addApiResponse(kind.status(), declared(kind.status() + WITHOUT_BODY)));
    }

    private static ApiResponse declared(String name) {
        return new ApiResponse().$ref("#/components/responses/" + name);
    }

    private static ApiResponse withHeaders(Kind kind, ApiResponse response) {
        return switch (kind) {
            case UNAVAILABLE ->
                response.addHeaderObject(
                        "Retry-After",
                        new Header()
                                .description("Whole seconds; left out where asking this replica again never helps")
                                .schema(Schemas.range(1, Integer.MAX_VALUE)));
            case UPGRADE_REQUIRED ->
                response.addHeaderObject("Upgrade", new Header().required(true).schema(Schemas.exactly("HTTP/1.1")));
            default -> response;
        };
    }

    private static Content content(Kind kind, String root) {
        return content(kind == Kind.UNAVAILABLE ? unavailable(root) : List.of());
    }

    private static Content content(List<Shown> examples) {
        JsonSchema line = Schemas.typed("string");
        line.setDescription("What is wrong, in one line");
        return new Content()
                .addMediaType(Problem.MEDIA_TYPE, Answers.media(Shapes.PROBLEM, examples))
                .addMediaType(Media.TEXT.mediaType(), Answers.media(line, List.of()));
    }

    /** One for each reason, told as callers are told. */
    private static List<Shown> unavailable(String root) {
        List<Shown> examples = new ArrayList<>();
        Arrays.stream(FenceReason.values())
                .map(reason -> shown(reason.code(), new FencedException(reason, reason.sentence(), SOON), root))
                .forEach(examples::add);
        examples.add(shown(
                "over-capacity",
                new OverCapacityException("the next tick is further off than callers wait", SOON),
                root));
        examples.add(shown("busy", new BusyException("as much is being done as the limits allow; ask again"), root));
        return examples;
    }

    private static Shown shown(String name, RuntimeException why, String root) {
        return new Shown(name, Refusal.of(why).problem().withHelp(root));
    }
}
