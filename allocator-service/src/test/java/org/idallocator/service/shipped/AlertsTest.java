package org.idallocator.service.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of {@code config/prometheus} and the operations guide speak of the same alerts. Whether these come when
 * they should is for the tools of Prometheus: {@code alerts.test.yml}.
 */
class AlertsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path CONFIG = ROOT.resolve("config/prometheus");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| <a id=\"(\\w+)\"></a>`(IdAllocator\\w+)` \\| \\**(\\w+)\\** \\| ");
    private static final Pattern COMES = Pattern.compile("runbook_url: \".+#(\\w+)\"");
    private static final Pattern STAYS_AWAY = Pattern.compile("- (?:&none )?\\{.*alertname: (\\w+).*}");
    private static final Pattern MATCHER = Pattern.compile("alertname=~?\"(\\w+)(?:\\(([\\w|]+)\\))?\"");

    /** The severities of the alerts, by their names, in the order of the file. */
    private final Map<String, String> alerts = new LinkedHashMap<>();

    private final JsonNode rules;

    AlertsTest() throws IOException {
        rules = yaml("alerts.yml").at("/groups/0/rules");
        rules.forEach(rule -> alerts.put(
                rule.path("alert").asText(), rule.at("/labels/severity").asText()));
    }

    private static JsonNode yaml(String file) throws IOException {
        return new YAMLMapper().readTree(Files.readString(CONFIG.resolve(file)));
    }

    private static List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(ROOT.resolve("docs/operations.md")))
                .results()
                .toList();
    }

    @Test
    void shouldHaveARowInTheGuideThatSaysHowSevereEachAlertIs() throws IOException {
        Map<String, String> told = rows().stream().collect(Collectors.toMap(row -> row.group(2), row -> row.group(3)));

        assertFalse(alerts.isEmpty());
        assertEquals(Map.copyOf(alerts), told);
    }

    @Test
    void shouldLinkEachAlertToItsRow() throws IOException {
        Map<String, String> anchors =
                rows().stream().collect(Collectors.toMap(row -> row.group(2), row -> row.group(1)));

        for (JsonNode rule : rules) {
            String name = rule.path("alert").asText();
            assertEquals(name.toLowerCase(Locale.ROOT), anchors.get(name));
            assertEquals(
                    "{{ $externalLabels.runbook }}#" + anchors.get(name),
                    rule.at("/annotations/runbook_url").asText());
        }
    }

    /** A link without it would be no link; as a label of each message it would only be in the way. */
    @ParameterizedTest
    @ValueSource(strings = {"prometheus.yml", "kubernetes.yml"})
    void shouldSayWhereTheGuideIsAndSendThatInLinksAlone(String file) throws IOException {
        JsonNode prometheus = yaml(file);

        String guide = prometheus.at("/global/external_labels/runbook").asText();
        assertTrue(guide.matches("https?://.+/operations\\.md"), guide);
        assertEquals(
                "[{\"action\":\"labeldrop\",\"regex\":\"runbook\"}]",
                prometheus.at("/alerting/alert_relabel_configs").toString());
        assertEquals("[\"alerts.yml\"]", prometheus.path("rule_files").toString());
    }

    /** Whoever adds an alert tries it, too: promtool does not ask for that. */
    @Test
    void shouldTryEachAlertWhereItComesAndWhereItDoesNot() throws IOException {
        String tests = Files.readString(CONFIG.resolve("alerts.test.yml"));
        Set<String> anchors = alerts.keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());

        assertEquals(anchors, found(COMES, tests));
        assertEquals(alerts.keySet(), found(STAYS_AWAY, tests));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }

    /** Alertmanager takes any name, and silences nobody by one that is misspelt. */
    @Test
    void shouldSilenceNothingCriticalAndNothingThatDoesNotExist() throws IOException {
        for (JsonNode rule : yaml("alertmanager.yml").path("inhibit_rules")) {
            Set<String> silent = named(rule.path("target_matchers"));
            assertTrue(alerts.keySet().containsAll(named(rule.path("source_matchers"))), rule::toString);
            assertEquals(Set.of("warning"), silent.stream().map(alerts::get).collect(Collectors.toSet()));
        }
    }

    private static Set<String> named(JsonNode matchers) {
        Set<String> named = StreamSupport.stream(matchers.spliterator(), false)
                .flatMap(matcher -> MATCHER.matcher(matcher.asText()).results())
                .flatMap(AlertsTest::alternatives)
                .collect(Collectors.toCollection(TreeSet::new));
        assertFalse(named.isEmpty(), matchers::toString);
        return named;
    }

    private static Stream<String> alternatives(MatchResult matcher) {
        return matcher.group(2) == null
                ? Stream.of(matcher.group(1))
                : Arrays.stream(matcher.group(2).split("\\|", -1)).map(end -> matcher.group(1) + end);
    }
}
