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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;

/** The bill of materials that Maven has made of the service: what is in the jar, and nothing of the tests. */
@ProofOnly("the proof makes a bill of materials")
class BillOfMaterialsIT {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path BILL = ROOT.resolve("allocator-service/target/allocator-service.cdx.json");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "(?s)<dependency>.*?<groupId>(.*?)</groupId>.*?<artifactId>(.*?)</artifactId>(.*?)</dependency>");

    private static final Pattern IN_NO_JAR = Pattern.compile("<scope>test</scope>|<optional>true</optional>");

    @Test
    void shouldNameWhatTheJarIsMadeOf() throws Exception {
        assumeTrue(Files.exists(BILL), "Maven was offline, and so made no bill of materials");
        JsonNode bill = new JsonMapper().readTree(Files.readString(BILL));
        Set<String> named = new TreeSet<>();
        bill.path("components")
                .forEach(each -> named.add(
                        each.path("group").asText() + ":" + each.path("name").asText()));
        Set<String> used = new TreeSet<>();
        Set<String> elsewhere = new TreeSet<>(); // of tests, or of programs that bring it
        for (String module : Set.of("allocator-core", "allocator-zk", "allocator-dropwizard", "allocator-service")) {
            String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
            for (MatchResult found : DEPENDENCY.matcher(pom).results().toList()) {
                (IN_NO_JAR.matcher(found.group(3)).find() ? elsewhere : used)
                        .add(found.group(1) + ":" + found.group(2));
            }
        }
        elsewhere.removeAll(used); // a module's own tests are another jar of the same name

        assertEquals("allocator-service", bill.at("/metadata/component/name").asText());
        assertFalse(used.isEmpty());
        assertTrue(named.containsAll(used), () -> used + " of " + named);
        elsewhere.retainAll(named);
        elsewhere.removeAll(
                Set.of("io.dropwizard.metrics:metrics-core", "ch.qos.logback:logback-classic")); // Dropwizard's
        assertEquals(Set.of(), elsewhere);
    }
}
