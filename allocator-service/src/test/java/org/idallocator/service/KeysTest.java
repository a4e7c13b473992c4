package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.jersey.validation.Validators;
import io.dropwizard.util.DataSize;
import io.dropwizard.util.Duration;
import jakarta.validation.Validator;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeKeys;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.config.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of keys in the operations guide: they have what the code has, key by key, and the shipped files have no
 * more than is needed.
 */
class KeysTest {
    private static final String OURS = "allocator.";
    private static final String OF_ALL = "allocator.schemes.*.";
    private static final Map<String, List<String>> OPTIONS = SchemeKeys.all();
    private static final List<String> SHARED =
            List.of(SchemeOptions.LEASES, SchemeOptions.WINDOW, SchemeOptions.MAX_COUNT);

    /** Each row begins with a key and its default; where there are three cells, the next one is of what is allowed. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z][^`]*)` \\| ([^|]*) \\| ([^|]*) \\|(.*)$");

    /** After a scheme's name, they are those of the scheme. */
    private static final Pattern BOUNDS = Pattern.compile("(?:(\\w+) )?`(\\d+)([a-z]*)\\.\\.(\\d+)([a-z]*)`");

    private static final Pattern TIME = Pattern.compile("\\d+ ?(ms|s|m|h|[a-z]*seconds?|minutes?|hours?)");
    private static final Pattern SIZE = Pattern.compile("\\d+ ?(KiB|kibibytes)");

    private static final Validator VALIDATOR = Validators.newValidator();
    private static final ObjectMapper MAPPER = Jackson.newObjectMapper(new YAMLFactory());

    private record Row(String key, String usual, String allowed) {
        /** The value that the cell has, where it is one; empty where it has words. */
        Optional<String> value() {
            return usual.matches("`[^`]+`") ? Optional.of(usual.replace("`", "")) : Optional.empty();
        }

        @Override
        public String toString() {
            return key;
        }
    }

    /** What a section has of a key by default; {@code ""} for nothing. */
    private record Found(Class<?> type, Object usual) {}

    private static Map<String, Row> table() throws IOException {
        String guide = Files.readString(Path.of("..", "docs", "operations.md"));
        String section =
                guide.split("(?m)^## The keys of the configuration$", 2)[1].split("(?m)^## ", 2)[0];
        Map<String, Row> rows = new LinkedHashMap<>();
        ROW.matcher(section).results().forEach(row -> {
            Row read = new Row(row.group(1), row.group(2), row.group(4).isEmpty() ? "" : row.group(3));
            assertEquals(null, rows.put(read.key(), read), read.key() + " is there once");
        });
        return rows;
    }

    static Stream<Row> rows() throws IOException {
        return table().values().stream();
    }

    static Stream<Row> ours() throws IOException {
        return rows().filter(row -> row.key().startsWith(OURS));
    }

    // --- The keys that there are.

    private static Map<String, Found> sections() {
        Map<String, Found> found = new TreeMap<>();
        addSection(OURS, new AllocatorSection(), found);
        OPTIONS.forEach((name, options) -> {
            for (String option : options) {
                String key = SHARED.contains(option) ? OF_ALL + option : "allocator.schemes." + name + "." + option;
                found.put(key, new Found(Object.class, ""));
            }
        });
        return found;
    }

    private static Found found(Row row) {
        return Objects.requireNonNull(sections().get(row.key()), row.key());
    }

    private static void addSection(String path, Object section, Map<String, Found> found) {
        for (Field field : section.getClass().getDeclaredFields()) {
            if (!field.isAnnotationPresent(Key.class) && !field.isAnnotationPresent(JsonProperty.class)) {
                continue;
            }
            field.setAccessible(true);
            try {
                Object value = Objects.requireNonNullElse(field.get(section), "");
                if (value.getClass().getPackage().equals(AllocatorSection.class.getPackage())) {
                    addSection(path + field.getName() + ".", value, found);
                } else {
                    found.put(path + field.getName(), new Found(field.getType(), value));
                }
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void shouldHaveARowForEachKeyOfOurs() throws IOException {
        assertEquals(sections().keySet(), ours().map(Row::key).collect(Collectors.toCollection(TreeSet::new)));
    }

    // --- Their defaults.

    @ParameterizedTest
    @MethodSource("ours")
    void shouldSayTheDefault(Row row) {
        if (row.key().startsWith("allocator.schemes.") && !row.key().startsWith(OF_ALL)) {
            assertSchemesDefault(row);
            return;
        }
        AllocatorSection section = new AllocatorSection();
        Object usual = switch (row.key()) {
            case "allocator.zookeeper.connect" -> section.settings().zookeeper().connect();
            case "allocator.zookeeper.embedded.dataDir" ->
                section.embedded().dataDir().toString().replace(System.getProperty("user.home"), "~");
            case "allocator.limits.fields" ->
                section.limits().limits(new DefaultServerFactory()).fields();
            case "allocator.schemes.*.leases" ->
                section.settings().leases(section.schemes().get(0));
            default -> found(row).usual();
        };
        boolean none = List.of("", List.of(), Map.of()).contains(usual) || usual instanceof Map;

        assertEquals(
                none ? Optional.empty() : Optional.of(plain(usual.toString())),
                row.value().map(KeysTest::plain));
    }

    /** A scheme is as it is without the key, and with another value it is not. */
    private static void assertSchemesDefault(Row row) {
        String[] names = row.key().split("\\.", -1);
        String usual = row.value().orElseThrow();
        String other = Pattern.compile("\\w+")
                .matcher(row.allowed().replace("65535", "1")) // the last partition is one for whoever has no others
                .results()
                .map(MatchResult::group)
                .filter(value -> !value.equals(usual))
                .findFirst()
                .orElseThrow();

        List<Object> without = told(names[2], Map.of());
        assertEquals(without, told(names[2], Map.of(names[3], usual)));
        assertNotEquals(without, told(names[2], Map.of(names[3], other)));
    }

    /** All in which schemes of one name may differ. */
    private static List<Object> told(String name, Map<String, Object> options) {
        Scheme<?> scheme = Schemes.configured(Map.of(name, options)).get(0);
        return List.of(scheme.pool(), scheme.defaultVariant(), scheme.idsPerTick());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldSayTheDefaultOfDropwizard(Row row) {
        if (row.key().startsWith(OURS) || row.key().equals("logging")) {
            return;
        }
        ObjectNode usual = new ObjectMapper().createObjectNode();
        ObjectMapper mapper = Jackson.newObjectMapper();
        usual.set("server", mapper.valueToTree(new DefaultServerFactory()));
        usual.set("health", mapper.valueToTree(new DefaultHealthFactory()));
        JsonNode found = usual.at("/" + row.key().replace("[]", ".0").replace('.', '/'));

        assertFalse(found.isMissingNode(), "there is such a key");
        assertEquals(
                found.isValueNode() && !found.isNull() ? Optional.of(plain(found.asText())) : Optional.empty(),
                row.value().map(KeysTest::plain));
    }

    /** A value in one form: {@code 2 seconds} is {@code 2s}. */
    private static String plain(String value) {
        if (TIME.matcher(value).matches()) {
            return Duration.parse(value).toMilliseconds() + " ms";
        }
        return SIZE.matcher(value).matches() ? DataSize.parse(value).toBytes() + " B" : value;
    }

    // --- Their bounds.

    /** Both ends are allowed, and nothing beyond them is. */
    @ParameterizedTest
    @MethodSource("ours")
    void shouldSayWhatIsAllowed(Row row) {
        assertFalse(row.allowed().isEmpty());
        Class<?> type = found(row).type();
        boolean measure = List.of(int.class, Integer.class, Duration.class).contains(type);
        assertTrue(!measure || BOUNDS.matcher(row.allowed()).find(), "has bounds");

        for (String scheme : row.key().startsWith(OF_ALL) ? Schemes.names() : List.of("")) {
            if (scheme.isEmpty()
                    || OPTIONS.getOrDefault(scheme, List.of())
                            .contains(row.key().substring(OF_ALL.length()))) {
                String key = row.key().replace("*", scheme);
                bounds(row, scheme).ifPresent(bounds -> assertBounds(key, bounds));
            }
        }
    }

    private static Optional<MatchResult> bounds(Row row, String scheme) {
        List<MatchResult> all = BOUNDS.matcher(row.allowed()).results().toList();
        return all.stream()
                .filter(bounds -> scheme.equals(bounds.group(1)))
                .findFirst()
                .or(() -> all.stream().filter(bounds -> bounds.group(1) == null).findFirst());
    }

    private static void assertBounds(String key, MatchResult bounds) {
        boolean time = !bounds.group(3).isEmpty();
        long least = number(bounds.group(2) + bounds.group(3));
        long most = number(bounds.group(4) + bounds.group(5));
        String unit = time ? "ms" : "";

        assertEquals(Optional.empty(), refused(key, least + unit));
        assertEquals(Optional.empty(), refused(key, most + unit));
        assertTrue(refused(key, least - 1 + unit).isPresent(), key + " may be less");
        assertTrue(refused(key, most + 1 + unit).isPresent(), key + " may be more");
    }

    private static long number(String written) {
        return TIME.matcher(written).matches() ? Duration.parse(written).toMilliseconds() : Long.parseLong(written);
    }

    /** Why a file with this value cannot be used. A partition is the last one where there are no others. */
    private static Optional<String> refused(String key, String value) {
        ObjectNode file = MAPPER.createObjectNode();
        file.putObject("server").put("maxThreads", 20_000);
        ObjectNode section = file;
        String[] names = key.split("\\.", -1);
        for (String name : List.of(names).subList(0, names.length - 1)) {
            section = section.withObjectProperty(name);
        }
        if (key.endsWith(".partition")) {
            section.put("partitions", 1);
        }
        section.put(names[names.length - 1], value);
        try {
            AllocatorConfiguration read = MAPPER.treeToValue(file, AllocatorConfiguration.class);
            return VALIDATOR.validate(read).stream().map(Object::toString).findFirst();
        } catch (IOException e) {
            throw new AssertionError(key + ": " + value, e);
        }
    }

    // --- The shipped files.

    /** A key is there because a variable may set it, or because it differs from its default; the table has it. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone.yml", "cluster.yml"})
    void shouldShipOnlyWhatDiffersFromTheDefaultsOrTakesAVariable(String name) throws IOException {
        Map<String, Row> table = table();
        Map<String, String> shipped = new TreeMap<>();
        addLeaves("", new YAMLMapper().readTree(Path.of("..", "config", name).toFile()), shipped);

        assertTrue(shipped.size() > 8, shipped::toString);
        shipped.keySet()
                .removeIf(
                        key -> key.matches("allocator\\.schemes\\.[a-z0-9]+|.*\\.type")); // YAML needs something there
        shipped.forEach((key, value) -> {
            Row row = Objects.requireNonNull(table.get(key), () -> key + " has no row");
            Optional<String> usual = row.value().map(KeysTest::plain);
            assertNotEquals(usual, Optional.of(plain(value)), key);
        });
    }

    /** A list of values is the value of one key. */
    private static void addLeaves(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isArray() && !node.isEmpty() && node.get(0).isValueNode()) {
            leaves.put(path.substring(1), node.toString());
        } else if (node.isValueNode() || node.isEmpty()) {
            leaves.put(path.substring(1), node.isValueNode() ? node.asText() : "");
        } else if (node.isArray()) {
            node.forEach(each -> addLeaves(path + "[]", each, leaves));
        } else {
            node.properties().forEach(each -> addLeaves(path + "." + each.getKey(), each.getValue(), leaves));
        }
    }
}
