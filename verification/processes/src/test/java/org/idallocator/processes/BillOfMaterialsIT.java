package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The bill of materials that Maven has made of the service: what is in the jar, and nothing of the tests. */
@ProofOnly("the proof makes a bill of materials")
class BillOfMaterialsIT {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path BILL = ROOT.resolve("allocator-service/target/allocator-service.cdx.json");
    private static final String TEST = "test";

    @Test
    void shouldNameWhatTheJarIsMadeOf() throws Exception {
        assumeTrue(Files.exists(BILL), "Maven was offline, and so made no bill of materials");
        JsonNode bill = new JsonMapper().readTree(Files.readString(BILL));
        Set<String> named = StreamSupport.stream(bill.path("components").spliterator(), false)
                .map(component -> component.path("group").asText() + ":"
                        + component.path("name").asText())
                .collect(Collectors.toSet());
        Set<String> used = new TreeSet<>();
        Set<String> tested = new TreeSet<>();
        for (String module : Set.of("allocator-core", "allocator-zk", "allocator-service")) {
            for (Element dependency : dependencies(ROOT.resolve(module).resolve("pom.xml"))) {
                (text(dependency, "scope").equals(TEST) ? tested : used)
                        .add(text(dependency, "groupId") + ":" + text(dependency, "artifactId"));
            }
        }
        tested.removeAll(used); // a module's own tests are another jar of the same name

        assertEquals("CycloneDX", bill.path("bomFormat").asText());
        assertEquals("allocator-service", bill.at("/metadata/component/name").asText());
        assertFalse(used.isEmpty());
        assertTrue(named.containsAll(used), () -> used + " of " + named);
        tested.retainAll(named);
        tested.removeAll(
                Set.of("io.dropwizard.metrics:metrics-core", "ch.qos.logback:logback-classic")); // Dropwizard's
        assertEquals(Set.of(), tested);
    }

    @Test
    void shouldTellWhichBytesEachPartHas() throws Exception {
        assumeTrue(Files.exists(BILL), "Maven was offline, and so made no bill of materials");
        for (JsonNode component :
                new JsonMapper().readTree(Files.readString(BILL)).path("components")) {
            assertTrue(component.path("purl").asText().startsWith("pkg:maven/"), component::toString);
            assertFalse(component.path("version").asText().isEmpty(), component::toString);
            assertTrue(
                    StreamSupport.stream(component.path("hashes").spliterator(), false)
                            .anyMatch(hash -> hash.path("alg").asText().equals("SHA-256")),
                    component::toString);
        }
    }

    private static Iterable<Element> dependencies(Path pom) throws Exception {
        Element project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
        NodeList found = project.getElementsByTagName("dependency");
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private static String text(Element dependency, String name) {
        NodeList found = dependency.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent();
    }
}
