package org.idallocator.dropwizard.resources;

import com.google.common.io.Resources;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.idallocator.dropwizard.problems.ApiException;
import org.idallocator.dropwizard.problems.Problem;
import org.idallocator.dropwizard.problems.ProblemType;

/**
 * {@code /problems/{reason}}: the section on a reason in the operations guide, which is in the jar. Problems point to
 * this route.
 */
@Path("/problems")
public final class ProblemsResource {
    private static final String TEXT = "text/plain;charset=utf-8";
    private static final Pattern SECTION = Pattern.compile("(?ms)^### ([a-z-]+)\\n(.*?)(?=^#{1,3} |\\z)");

    /** The guide's sections on reasons, by the codes of the reasons: Markdown, each with its heading. */
    private final Map<String, String> sections;

    /** Reads the guide. */
    public ProblemsResource() {
        try {
            String guide =
                    Resources.toString(Resources.getResource(Problem.class, "operations.md"), StandardCharsets.UTF_8);
            sections = SECTION.matcher(guide)
                    .results()
                    .collect(Collectors.toUnmodifiableMap(
                            section -> section.group(1),
                            section -> section.group().strip() + "\n"));
        } catch (IOException e) {
            throw new IllegalStateException("the jar cannot be read", e);
        }
    }

    /** The section on a reason, given by its code, as Markdown with its heading. */
    @GET
    @Path("{reason}")
    @Produces(TEXT)
    public String section(@PathParam("reason") String reason, @Context UriInfo uri) {
        DrawParameters.requireNone(uri);
        return Optional.ofNullable(sections.get(reason))
                .orElseThrow(() -> new ApiException(ProblemType.NOT_FOUND, "the guide has no reason " + reason));
    }
}
