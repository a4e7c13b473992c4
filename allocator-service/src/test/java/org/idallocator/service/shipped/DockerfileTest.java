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
import org.idallocator.dropwizard.ids.Limits;
import org.junit.jupiter.api.Test;

/**
 * How the image starts Java, and what the compose file lets its containers do. {@code ImageIT} has the image itself.
 */
class DockerfileTest {
    private static final Pattern OF_THE_LAUNCHER = Pattern.compile("(?s) server\\)\n(.*?);;");
    private static final Pattern OF_THE_IMAGE = Pattern.compile("(?s)\nENTRYPOINT \\[(.*?)]");
    private static final Pattern OPTION = Pattern.compile("-XX:[^ \"]+");
    private static final Pattern MEMORY =
            Pattern.compile("(?m)^\\| (\\d+) ([MG])iB[^|]*\\| (\\d+) MiB \\| (\\d+) \\| ([\\d,]+) \\| (\\d+) \\|$");
    private static final double MIB = 1_024 * 1_024;
    private static final double GIB = 1_024 * MIB;

    /** Of the server, in the shipped files. */
    private static final int THREADS = 128;

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

    /** The number stands in one place, and the environment may say another. */
    @Test
    void shouldKnowAsManyReplicasAsThePageSays() throws IOException {
        Path root = Path.of("..");
        String balancer = Files.readString(root.resolve("config/load-balancer/haproxy.cfg"));
        String most = Pattern.compile("(?m)^ +presetenv MOST_REPLICAS (\\d+)$")
                .matcher(balancer)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);

        for (String line : balancer.lines()
                .filter(each -> each.contains("server-template"))
                .toList()) {
            assertEquals("server-template replica- \"${MOST_REPLICAS}\" replica:8080", line.strip());
        }
        assertEquals(
                "[\"MOST_REPLICAS\"]",
                new YAMLMapper()
                        .readTree(Files.readString(root.resolve("docker-compose.yml")))
                        .at("/services/load-balancer/environment")
                        .toString());
        String page = Files.readString(root.resolve("docs/deploying.md"));
        assertTrue(page.contains("The load balancer knows " + most + " replicas at most."), most);
    }

    /**
     * The heap is a share of the container's limit, and limits of what clients may do follow from the heap. A JVM with
     * so little memory does not count one of its survivor spaces, a thirtieth of the heap.
     */
    @Test
    void shouldSayWhatALimitOfMemoryGives() throws IOException {
        double share = Double.parseDouble(options(OF_THE_IMAGE, Path.of("Dockerfile")).stream()
                        .filter(each -> each.startsWith("-XX:Max" + HEAP))
                        .findFirst()
                        .orElseThrow()
                        .replaceFirst(".*=", ""))
                / 100;
        String page = Files.readString(Path.of("..", "docs", "deploying.md"));
        List<MatchResult> rows = MEMORY.matcher(page).results().toList();
        assertEquals(3, rows.size());
        for (MatchResult row : rows) {
            double limit = Double.parseDouble(row.group(1)) * (row.group(2).equals("G") ? GIB : MIB);
            Limits limits = Limits.usual((long) (limit * share * 29 / 30), THREADS);

            assertEquals(Math.round(limit * share / MIB), number(row, 3), row.group());
            assertNear(limits.requests(), number(row, 4), row.group());
            assertNear(limits.connections(), number(row, 5), row.group());
            assertNear(limits.bodies(), number(row, 6), row.group());
        }
        assertTrue(Files.readString(Path.of("..", "config", "cluster.yml")).contains("maxThreads: " + THREADS));
        JsonNode pod = new YAMLMapper()
                .readTree(Files.readString(Path.of("..", "config", "kubernetes", "deployment.yaml")))
                .at("/spec/template/spec/containers/0/resources");
        String shipped = rows.get(0).group(1) + "Mi";
        assertEquals(shipped, pod.at("/limits/memory").asText());
        assertEquals(shipped, pod.at("/requests/memory").asText());
        long beside = number(rows.get(0), 1) - number(rows.get(0), 3);
        assertTrue(page.contains("what the shipped pod leaves, " + beside + " MiB"), () -> beside + " MiB");
    }

    private static long number(MatchResult row, int column) {
        return Long.parseLong(row.group(column).replace(",", ""));
    }

    private static void assertNear(long computed, long said, String row) {
        assertTrue(Math.abs(said - computed) <= computed * 0.03, () -> computed + ": " + row);
    }
}
