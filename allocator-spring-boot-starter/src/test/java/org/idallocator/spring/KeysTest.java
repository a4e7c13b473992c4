package org.idallocator.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.scheme.SchemeKeys;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.spring.IdAllocatorProperties.SchemeSection;
import org.idallocator.spring.IdAllocatorProperties.ZooKeeperSection;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** The keys on the page, in the code, in what editors are told, and in the service's own guide are the same. */
class KeysTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String OURS = "idallocator.";
    private static final String SERVICES = "allocator.";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:id)?allocator\\.[^`]+)` \\| ([^|]*) \\|");

    /** What the service does not have, or has another default for: a program is told where its ZooKeeper is. */
    private static final Set<String> OWN = Set.of("enabled", "start-timeout", "zookeeper.connect", "schemes");

    /** The defaults in a page's table, by the key without what all keys of the table begin with. */
    private static Map<String, String> table(String page, String prefix) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        ROW.matcher(Files.readString(DOCS.resolve(page))).results().forEach(row -> {
            assertTrue(row.group(1).startsWith(prefix), row::group);
            String key = row.group(1).substring(prefix.length());
            assertEquals(null, rows.put(IdAllocatorProperties.canonical(key), row.group(2)), key + " is there once");
        });
        return rows;
    }

    private static Stream<String> names(Class<? extends Record> section) {
        return Arrays.stream(section.getRecordComponents()).map(RecordComponent::getName);
    }

    private static Stream<String> optionsOfSchemes() {
        Predicate<String> shared = List.of(SchemeOptions.LEASES, SchemeOptions.WINDOW)::contains;
        return SchemeKeys.all().entrySet().stream()
                .flatMap(scheme -> scheme.getValue().stream()
                        .filter(option -> !option.equals(SchemeOptions.MAX_COUNT)) // of answers over HTTP
                        .map(option -> "schemes." + (shared.test(option) ? "*" : scheme.getKey()) + "." + option));
    }

    @Test
    void shouldHaveARowForEachKey() throws IOException {
        Set<String> keys = Stream.of(
                        names(IdAllocatorProperties.class).filter(name -> !name.equals("zookeeper")),
                        names(ZooKeeperSection.class).map(name -> "zookeeper." + name),
                        optionsOfSchemes())
                .flatMap(each -> each)
                .map(IdAllocatorProperties::canonical)
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(keys, table("library.md", OURS).keySet());
    }

    /** A test of the service holds its guide to the code. */
    @Test
    void shouldSayTheDefaultsOfTheService() throws IOException {
        Map<String, String> services = table("operations.md", SERVICES);
        Map<String, String> rows = table("library.md", OURS);
        rows.keySet().removeAll(OWN);

        assertFalse(rows.isEmpty());
        rows.forEach((key, usual) -> assertEquals(services.get(key), usual, key));
    }

    /** The newest is this build's, and the oldest that of verification/spring. */
    @Test
    void shouldNameTheVersionsOfSpringBootThatTheTestsRunWith() throws IOException {
        String olderBuild = Files.readString(Path.of("..", "verification", "spring", "pom.xml"));
        String oldest = olderBuild.replaceFirst("(?s).*<spring-boot.version>([0-9]+\\.[0-9]+)\\..*", "$1");
        String newest = SpringBootVersion.getVersion().replaceFirst("\\.[0-9]+$", "");
        String said = "Its tests run with Spring Boot " + oldest + " and " + newest;

        assertTrue(Files.readString(DOCS.resolve("library.md")).contains(said), said);
    }

    @Test
    void shouldTakeAllOptionsOfAllSchemes() {
        Set<String> options = optionsOfSchemes()
                .map(key -> key.replaceAll(".*\\.", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(options, names(SchemeSection.class).collect(Collectors.toCollection(TreeSet::new)));
    }

    /** In plain Java; those are left out whose value is given to `of`. */
    @Test
    void shouldListTheMethodsThatChangeSettings() throws IOException {
        Set<String> listed = Pattern.compile("(?m)^\\| `(with\\w+)` \\|")
                .matcher(Files.readString(DOCS.resolve("library.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> methods = Stream.of(AllocatorSettings.class, ZooKeeperSettings.class)
                .flatMap(settings -> Arrays.stream(settings.getMethods()))
                .map(Method::getName)
                .filter(name -> name.startsWith("with"))
                .collect(Collectors.toCollection(TreeSet::new));
        methods.removeAll(Set.of("withSchemes", "withZooKeeper", "withConnect"));

        assertEquals(methods, listed);
    }

    @Test
    void shouldTellEditorsEachKeyWithWhatItIsForAndItsDefault() throws IOException {
        Map<String, String> rows = table("library.md", OURS);
        rows.keySet().removeIf(key -> key.startsWith("schemes.")); // in the value of a map, which editors look into
        JsonNode told = new JsonMapper()
                .readTree(Path.of("target/classes/META-INF/spring-configuration-metadata.json")
                        .toFile());
        Set<String> names = new TreeSet<>();
        told.get("properties").forEach(property -> {
            String key = property.get("name").asText().substring(OURS.length());
            names.add(key);
            assertFalse(property.path("description").asText().isBlank(), key);
            String usual = property.path("defaultValue").asText("");
            String written = Objects.requireNonNull(rows.get(key), key);
            assertEquals(written.matches("`[^`]+`") ? written.replace("`", "") : "", usual, key);
        });

        assertEquals(rows.keySet(), names);
        assertEquals(Schemes.names(), told.at("/hints/0/values").findValuesAsText("value"));
    }
}
