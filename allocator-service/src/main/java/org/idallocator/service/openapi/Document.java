package org.idallocator.service.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.SpecVersion;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.servers.Server;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Counts;

/** One OpenAPI document: the paths of each scheme, and those of all. */
final class Document {
    private static final String VERSION = "3.1.0";
    private static final String ABOUT =
            "Hands out IDs that never collide, also when several replicas do. Asking again is always"
                    + " safe: an ID that was made and not delivered is merely unused. Errors are problems of RFC 9457; to a client that"
                    + " asks for text/plain, one line.";

    private final Samples samples;
    private final String root;
    private final Optional<URI> health;
    private final List<Scheme<?>> schemes;
    private final Counts counts;

    /** {@code base} is what comes before the paths of the routes, and {@code health} where health is asked, as the client has them. */
    Document(URI base, Optional<URI> health, List<Scheme<?>> schemes, Counts counts) {
        this.samples = new Samples(base);
        this.root = base.getPath().replaceFirst("(?<=.)/$", "");
        this.health = health;
        this.schemes = schemes;
        this.counts = counts;
    }

    /** The document as one line of JSON. */
    byte[] json() {
        try {
            return (Json31.mapper().writeValueAsString(openApi()) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the description cannot be written", e);
        }
    }

    private OpenAPI openApi() {
        Components components = new Components();
        Shapes.addTo(components);
        Problems.addTo(components, root.replaceFirst("/?$", "/"));
        OpenAPI document = new OpenAPI(SpecVersion.V31);
        document.setOpenapi(VERSION);
        document.setInfo(new Info().title("ID Allocator").description(ABOUT).version(version()));
        document.addServersItem(new Server().url(root));
        document.setComponents(components);
        document.path("/ids", alone("catalogue", "/ids", "The schemes that this replica serves", Shapes.CATALOGUE));
        schemes.forEach(scheme -> add(document, scheme));
        document.path("/leases", alone("leases", "/leases", "The slots that this replica holds", Shapes.LEASES));
        document.path(ProblemsPath.TEMPLATE, ProblemsPath.item(samples));
        health.ifPresent(uri -> document.path(uri.getPath(), HealthPath.item(uri, root)));
        document.path("/openapi.json", alone("description", "/openapi.json", "This description", Shapes.DESCRIPTION));
        return document;
    }

    private static String version() {
        return Optional.ofNullable(Document.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    private <T extends Id> void add(OpenAPI document, Scheme<T> scheme) {
        String path = "/ids/" + scheme.name();
        ExampleIds<T> examples = new ExampleIds<>(scheme);
        Inputs<T> inputs = new Inputs<>(scheme, counts);
        document.path(path, new DrawPath<>(scheme, inputs, examples, samples).item(document.getComponents()));
        document.path(path + "/{id}", new ReadPath<>(scheme, inputs, examples, samples).item());
    }

    /** A path that takes no parameters. */
    private PathItem alone(String id, String path, String summary, JsonSchema answer) {
        ApiResponses responses = new ApiResponses();
        responses.addApiResponse("200", Answers.json("what the summary says", answer, List.of()));
        Problems.add(
                responses, List.of(Problems.Kind.BAD_REQUEST, Problems.Kind.NOT_ACCEPTABLE, Problems.Kind.UNAVAILABLE));
        Operation get = new Operation().operationId(id).summary(summary).responses(responses);
        samples.add(get, List.of(Samples.get(path)));
        return new PathItem().get(get);
    }
}
