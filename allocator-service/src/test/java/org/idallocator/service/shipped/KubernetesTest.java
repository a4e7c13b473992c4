package org.idallocator.service.shipped;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.CommandLine;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.testing.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The manifests of {@code config/kubernetes}: what Kubernetes publishes of its objects, in the client that is made from
 * that, knows each of their fields, and they fit each other, the image and the configuration.
 */
class KubernetesTest {
    private static final Path CONFIG = Path.of("..", "config");
    private static final Path MANIFESTS = CONFIG.resolve("kubernetes");
    private static final String KUSTOMIZATION = "kustomization.yaml";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)(?::-([^}]*))?}");
    private static final Pattern PART = Pattern.compile("\\$\\(part '([^']+)'\\)");
    private static final Set<String> NEEDED_BY_OTHERS = Set.of("POD_IP"); // URL has it

    private static final Map<String, Schema> SCHEMAS = Map.of(
            "apps/v1 Deployment", V1Deployment::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement);

    private final JsonNode deployment = read("deployment.yaml");
    private final JsonNode pod = deployment.at("/spec/template/spec");
    private final JsonNode container = pod.at("/containers/0");

    /** Throws where an object has a field that is not published, or lacks one that is required. */
    private interface Schema {
        void validate(JsonElement object) throws IOException;
    }

    private static JsonNode read(String name) {
        return yaml(MANIFESTS.resolve(name));
    }

    private static JsonNode yaml(Path file) {
        try {
            return new YAMLMapper()
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    static Stream<String> manifests() throws IOException {
        try (Stream<Path> files = Files.list(MANIFESTS)) {
            return files
                    .map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .filter(name -> !name.equals(KUSTOMIZATION))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void shouldHaveOnlyFieldsThatKubernetesPublishes(String manifest) {
        JsonNode object = read(manifest);
        Schema schema = Objects.requireNonNull(
                SCHEMAS.get(object.path("apiVersion").asText() + " "
                        + object.path("kind").asText()),
                object::toString);
        assertDoesNotThrow(() -> schema.validate(JsonParser.parseString(object.toString())));
    }

    @Test
    void shouldListEachManifestInTheKustomization() throws IOException {
        JsonNode kustomization = read(KUSTOMIZATION);

        assertEquals(
                Set.of("apiVersion", "kind", "resources", "images", "configMapGenerator"),
                kustomization.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet()));
        assertEquals(
                manifests().toList(), texts(kustomization.path("resources")).toList());
        assertEquals(
                container.path("image").asText(),
                kustomization.at("/images/0/name").asText());
        assertEquals(
                container.at("/envFrom/0/configMapRef/name").asText(),
                kustomization.at("/configMapGenerator/0/name").asText());
    }

    @Test
    void shouldSelectTheReplicas() {
        JsonNode labels = deployment.at("/spec/template/metadata/labels");

        assertEquals(labels, deployment.at("/spec/selector/matchLabels"));
        assertEquals(labels, read("service.yaml").at("/spec/selector"));
        assertEquals(labels, read("gid-service.yaml").at("/spec/selector"));
        assertEquals(labels, read("disruption-budget.yaml").at("/spec/selector/matchLabels"));
        assertEquals(labels, read("network-policy.yaml").at("/spec/podSelector/matchLabels"));
        for (JsonNode spread : pod.path("topologySpreadConstraints")) {
            assertEquals(labels, spread.at("/labelSelector/matchLabels"));
        }
    }

    @Test
    void shouldNamePortsThatTheContainerHas() {
        JsonNode policy = read("network-policy.yaml");
        Stream<JsonNode> named = Stream.of(
                container.at("/startupProbe/httpGet/port"),
                container.at("/readinessProbe/httpGet/port"),
                container.at("/livenessProbe/httpGet/port"),
                read("service.yaml").at("/spec/ports/0/targetPort"),
                read("gid-service.yaml").at("/spec/ports/0/targetPort"),
                policy.at("/spec/ingress/0/ports/0/port"),
                policy.at("/spec/ingress/1/ports/0/port"));
        assertEquals(List.of("8080", "8081"), container.path("ports").findValuesAsText("containerPort"));
        assertEquals(List.of("http", "admin"), container.path("ports").findValuesAsText("name"));
        assertEquals(Set.of("http", "admin"), named.map(JsonNode::asText).collect(Collectors.toSet()));
    }

    /** What the manifests set is a variable of the file that the image has, and the service takes the file with it. */
    @Test
    void shouldSetVariablesThatTheConfigurationHas(@TempDir Path directory) throws IOException {
        String configuration = Files.readString(CONFIG.resolve("cluster.yml"));
        Map<String, String> set = environment();
        Set<String> variables = VARIABLE.matcher(configuration)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> unknown = new TreeSet<>(set.keySet());
        unknown.removeAll(variables);

        assertEquals(NEEDED_BY_OTHERS, unknown);
        Path file = Files.writeString(
                directory.resolve("cluster.yml"),
                VARIABLE.matcher(configuration).replaceAll(found -> substitute(found, set)));
        assertEquals("", CommandLine.run("check", file.toString()).error());
        assertEquals(
                "[\"server\",\"/config/cluster.yml\"]", container.path("args").toString());
        assertTrue(container.path("command").isMissingNode(), "the image's own has the options of the JVM");
    }

    private static String substitute(MatchResult found, Map<String, String> values) {
        return values.getOrDefault(found.group(1), Objects.requireNonNullElse(found.group(2), ""));
    }

    /** The variables of the container, with values as Kubernetes would set them. */
    private Map<String, String> environment() {
        Map<String, String> set = new TreeMap<>();
        texts(read(KUSTOMIZATION).at("/configMapGenerator/0/literals"))
                .map(literal -> literal.split("=", 2))
                .forEach(literal -> set.put(literal[0], literal[1]));
        Map<String, String> ofThePod =
                Map.of("metadata.name", "id-allocator-5d59d67564-x7k2p", "status.podIP", "10.1.2.3");
        for (JsonNode variable : container.path("env")) {
            String field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
            String value = field.isEmpty()
                    ? variable.path("value").asText()
                    : Objects.requireNonNull(ofThePod.get(field), field);
            set.put(
                    variable.path("name").asText(),
                    value.replace("$(POD_IP)", set.getOrDefault("POD_IP", "$(POD_IP)")));
        }
        return set;
    }

    /**
     * One Service passes over a replica that cannot serve all that it should; the other leads to it all the same, for
     * gids. No probe has a pod restarted.
     */
    @Test
    void shouldLeadToGidsWhileZooKeeperIsAway() {
        assertTrue(read("service.yaml").at("/spec/publishNotReadyAddresses").isMissingNode());
        assertTrue(read("gid-service.yaml").at("/spec/publishNotReadyAddresses").booleanValue());
        try (RunningService service = RunningService.start(
                AllocatorApplication.class,
                "zookeeper.embedded.enabled=false",
                "zookeeper.connect=127.0.0.1:" + Ports.free(1).get(0))) {
            Map<String, Integer> answers = new TreeMap<>();
            for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
                String path = container.path(probe).at("/httpGet/path").asText();
                answers.put(probe, service.app().status(path));
            }

            assertEquals(Map.of("startupProbe", 200, "readinessProbe", 503, "livenessProbe", 200), answers);
            assertEquals(200, service.app().status("/ids/gid"));
            HttpResponse<String> refused = service.app().get("/ids/sno");
            assertEquals(503, refused.statusCode());
            assertTrue(refused.headers().firstValue("Retry-After").isPresent(), refused::toString);
        }
    }

    /** As docs/deploying.md says of a replica that nothing but gids is asked of. */
    @Test
    void shouldBeReadyWithoutZooKeeperWhenItServesGidsAlone(@TempDir Path directory) throws IOException {
        String nobody = "127.0.0.1:" + Ports.free(1).get(0);
        Path file = Files.writeString(directory.resolve("gids.yml"), """
                allocator: {schemes: {gid: {}}, zookeeper: {connect: '%s'}}
                server:
                  applicationConnectors: [{type: http, port: 0}]
                  adminConnectors: [{type: http, port: 0}]
                """.formatted(nobody));
        try (RunningService service = RunningService.start(AllocatorApplication.class, file)) {
            service.awaitReady();
            assertEquals(200, service.app().status("/ids/gid"));
        }
    }

    /**
     * The function of docs/operations.md that gives a command's pod what the replicas have: where a part were not
     * there, what it sends would be no JSON.
     */
    @Test
    void shouldHaveAllPartsThatACommandsPodIsGiven() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "operations.md"));
        List<String> parts =
                PART.matcher(page).results().map(found -> found.group(1)).toList();

        assertEquals(8, parts.size(), parts::toString);
        for (String part : parts) {
            String pointer = "/" + part.replaceAll("[.\\[]", "/").replace("]", "");
            assertFalse(pod.at(pointer).isMissingNode(), part);
        }
    }

    /**
     * A Prometheus elsewhere asks it, and so it listens to others than its own pod; the network policy says to whom.
     */
    @Test
    void shouldOpenTheAdminPortToThoseAloneWhoWatch() {
        JsonNode ingress = read("network-policy.yaml").at("/spec/ingress");

        assertEquals("0.0.0.0", environment().get("ADMIN_HOST"));
        for (JsonNode rule : ingress) {
            boolean admin = rule.path("ports").toString().contains("admin");
            assertEquals(admin, rule.has("from"), rule::toString);
        }
        assertTrue(ingress.toString().contains("admin"));
    }

    /** Not by the Service that has only those which are ready: an alert is about the others. */
    @Test
    void shouldBeFoundByPrometheus() throws IOException {
        JsonNode service = shown("v1", "Service");
        JsonNode scrape = yaml(CONFIG.resolve("prometheus/kubernetes.yml")).at("/scrape_configs/0");
        JsonNode name = deployment.at("/spec/selector/matchLabels").path("app.kubernetes.io/name");

        V1Service.validateJsonElement(JsonParser.parseString(service.toString()));
        assertEquals(deployment.at("/spec/selector/matchLabels"), service.at("/spec/selector"));
        assertEquals("None", service.at("/spec/clusterIP").asText());
        assertTrue(service.at("/spec/publishNotReadyAddresses").booleanValue());
        assertEquals(
                service.at("/metadata/name").asText() + "."
                        + service.at("/metadata/namespace").asText() + ".svc",
                scrape.at("/dns_sd_configs/0/names/0").asText());
        assertEquals(service.at("/spec/ports/0/port"), scrape.at("/dns_sd_configs/0/port"));
        assertEquals(container.at("/ports/1/containerPort"), scrape.at("/dns_sd_configs/0/port"));
        assertEquals(container.at("/ports/1/name"), service.at("/spec/ports/0/targetPort"));
        assertEquals(name, scrape.path("job_name"));
    }

    @Test
    void shouldBeFoundByTheOperatorOfPrometheus() throws IOException {
        JsonNode monitor = shown("monitoring.coreos.com/v1", "PodMonitor");
        JsonNode endpoint = monitor.at("/spec/podMetricsEndpoints/0");

        assertEquals("app.kubernetes.io/name", monitor.at("/spec/jobLabel").asText());
        assertEquals(deployment.at("/spec/selector/matchLabels"), monitor.at("/spec/selector/matchLabels"));
        assertEquals(container.at("/ports/1/name"), endpoint.path("port"));
        assertEquals(
                yaml(CONFIG.resolve("prometheus/kubernetes.yml")).at("/scrape_configs/0/metrics_path"),
                endpoint.path("path"));
    }

    /** An object that docs/deploying.md shows. */
    private static JsonNode shown(String version, String kind) throws IOException {
        String guide = Files.readString(Path.of("..", "docs", "deploying.md"));
        Pattern block = Pattern.compile("(?s)```yaml\\n(apiVersion: " + version + "\\nkind: " + kind + "\\n.*?)```");
        return new YAMLMapper()
                .readTree(
                        block.matcher(guide).results().findFirst().orElseThrow().group(1));
    }

    /** What the Pod Security Standard "restricted" asks for, and a root file system that nobody writes to. */
    @Test
    void shouldRunWithoutRights() throws IOException {
        JsonNode ofThePod = pod.path("securityContext");
        assertTrue(ofThePod.path("runAsNonRoot").booleanValue());
        assertEquals("RuntimeDefault", ofThePod.at("/seccompProfile/type").asText());
        assertEquals(
                "{\"allowPrivilegeEscalation\":false,\"readOnlyRootFilesystem\":true,\"capabilities\":{\"drop\":[\"ALL\"]}}",
                container.path("securityContext").toString());
        assertEquals("false", pod.path("automountServiceAccountToken").toString());
        String user = ofThePod.path("runAsUser").asText() + ":"
                + ofThePod.path("runAsGroup").asText();
        assertTrue(Files.readString(Path.of("Dockerfile")).contains("\nUSER " + user + "\n"), user);
    }

    private static Stream<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText);
    }
}
