package org.idallocator.service.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * How the image starts Java, and what the compose file lets its containers do. {@code ImageIT} has the image itself.
 */
class DockerfileTest {
    private static final Pattern OF_THE_LAUNCHER = Pattern.compile("(?s) server\\)\n(.*?);;");
    private static final Pattern OF_THE_IMAGE = Pattern.compile("(?s)\nENTRYPOINT \\[(.*?)]");
    private static final Pattern OPTION = Pattern.compile("-XX:[^ \"]+");
    private static final String HEAP = "RAMPercentage=";

    @Test
    void shouldStartJavaAsTheLauncherDoes() throws IOException {
        List<String> launcher = options(OF_THE_LAUNCHER, Path.of("..", "bin", "id-allocator"));
        List<String> image = options(OF_THE_IMAGE, Path.of("Dockerfile"));

        assertFalse(launcher.isEmpty());
        assertEquals(
                launcher, image.stream().filter(each -> !each.contains(HEAP)).toList());
    }

    private static List<String> options(Pattern place, Path file) throws IOException {
        String found = place.matcher(Files.readString(file))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        return OPTION.matcher(found).results().map(MatchResult::group).toList();
    }

    /**
     * Prometheus asks it on its own network; whoever reaches this machine does not, and nobody changes anything without
     * a token.
     */
    @Test
    void shouldHaveNoRightsAndOpenNoPortInTheComposeFile() throws IOException {
        JsonNode replica = new YAMLMapper()
                .readTree(Files.readString(Path.of("..", "docker-compose.yml")))
                .at("/services/replica");
        assertTrue(replica.path("read_only").booleanValue());
        assertTrue(replica.path("entrypoint").isMissingNode(), "the image's own has the options of the JVM");
        assertTrue(replica.path("ports").isMissingNode());
        assertEquals("[\"/tmp\"]", replica.path("tmpfs").toString());
        assertEquals("[\"ALL\"]", replica.path("cap_drop").toString());
        assertEquals(
                "[\"no-new-privileges:true\"]", replica.path("security_opt").toString());
        assertEquals("256m", replica.path("mem_limit").asText());
        assertEquals("0.0.0.0", replica.at("/environment/ADMIN_HOST").asText());
        assertEquals("${ADMIN_TOKEN:-}", replica.at("/environment/ADMIN_TOKEN").asText());
    }
}
