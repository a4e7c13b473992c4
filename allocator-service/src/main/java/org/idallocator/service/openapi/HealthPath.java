package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.servers.Server;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The path at which load balancers and supervisors ask for the health of a replica; Dropwizard answers there. */
final class HealthPath {
    private static final String SERVER = "/";

    private HealthPath() {}

    /**
     * The path.
     *
     * @param uri where it is, as the client has it
     * @param root what the routes are below, and this path is not
     */
    static PathItem item(URI uri, String root) {
        ApiResponses responses = new ApiResponses();
        responses.addApiResponse("200", answer("Ready, or alive where that is asked; with names, these checks pass"));
        responses.addApiResponse("503", answer("Not so, or the replica stops"));
        Problems.add(responses, List.of(Problems.Kind.BAD_REQUEST));
        Operation get = new Operation()
                .operationId("health")
                .summary("Whether requests are to be sent here, or whether the process must be started again")
                .addParametersItem(names())
                .addParametersItem(type())
                .responses(responses);
        String path = uri.getPath();
        new Samples(uri.resolve(SERVER))
                .add(
                        get,
                        List.of(Samples.get(path), Samples.get(path + "?name=all"), Samples.get(path + "?type=alive")));
        PathItem item = new PathItem().get(get);
        return root.equals(SERVER) ? item : item.addServersItem(new Server().url(SERVER));
    }

    private static Parameter names() {
        return new QueryParameter()
                .name("name")
                .required(false)
                .description(
                        "The checks that decide, and are told: each may be a scheme's name, or leases, which is all of them; of"
                                + " all, every check is told")
                .schema(Schemas.listOf(Schemas.typed("string")))
                .example(List.of("all"));
    }

    private static Parameter type() {
        JsonSchema type = Schemas.oneOf(List.of("ready", "alive"));
        type.setDefault("ready");
        return new QueryParameter()
                .name("type")
                .required(false)
                .description("What is asked, where no check is named")
                .schema(type);
    }

    private static ApiResponse answer(String description) {
        Map<String, JsonSchema> check = new LinkedHashMap<>();
        check.put("name", Schemas.typed("string"));
        check.put("healthy", Schemas.typed("boolean"));
        check.put("type", Schemas.oneOf(List.of("READY", "ALIVE")));
        check.put("critical", Schemas.typed("boolean"));
        return Answers.json(description, Schemas.listOf(Schemas.object(check)), List.of());
    }
}
