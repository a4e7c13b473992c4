package org.idallocator.service.shipped;

import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Comparators;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletMapping;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.CommandLine;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents tell people to do works, and the states that people meet are in the documents. */
@ExtendWith(SharedService.class)
class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern REQUEST = Pattern.compile(
            "curl (?:--fail --retry 5 )?(?:-H '[A-Za-z-]+: ([^']+)' )?((?:-d \\S+ )*)'?localhost:8080(/[^' \n]*)");
    private static final Pattern PATH = Pattern.compile("`(/[^`]*)`");
    private static final Pattern CHANGE =
            Pattern.compile("curl (-H \"\\$token\" )?-X POST '?localhost:8081(/[^' \n]*)");
    private static final Pattern COMMAND = Pattern.compile("(?m)^ida ((?:generate|inspect) [^<>#\n]*)");
    private static final Pattern STATE = Pattern.compile("(?m)^### ([a-z-]+)$");
    private static final Pattern LINK = Pattern.compile("`((?:docs|config)/[A-Za-z./-]+)`|\\]\\(([A-Za-z./-]+)[#)]");
    private static final Pattern ANCHOR = Pattern.compile("\\]\\((?!https?:)([^)#]*)#([^)]+)\\)");
    private static final Pattern WINDOW_ROW =
            Pattern.compile("\\| `(\\w+)`, ([\\d,]+) \\| (\\d+) \\| (\\d+) \\| ([^|]+) \\|");
    private static final Pattern HEADING = Pattern.compile("(?m)^##+ (.+)$");
    private static final String[] PAGES = Stream.concat(
                    Stream.of("README.md"),
                    Stream.of(requireNonNull(ROOT.resolve("docs").toFile().list()))
                            .filter(name -> name.endsWith(".md"))
                            .sorted()
                            .map(name -> "docs/" + name))
            .toArray(String[]::new);

    private final RunningService service;

    DocumentsTest(RunningService service) {
        this.service = service;
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldAnswerWhenRequestedAsTheDocumentsSay(String path, String type, String body) {
        HttpRequest.Builder request =
                service.app().request(path).header(body.isEmpty() ? "Accept" : "Content-Type", type);
        assertEquals(
                200,
                service.app()
                        .send(body.isEmpty() ? request : request.POST(ofString(body)))
                        .statusCode());
    }

    /** The table has what is there, and no servlet is missing in it. */
    @Test
    void shouldListThePathsOfTheAdminPort() throws IOException {
        String guide = Files.readString(ROOT.resolve("docs/operations.md"));
        String section = guide.split("(?m)^## The admin port$", 2)[1].split("(?m)^## ", 2)[0];
        List<String> paths = section.lines()
                .filter(line -> line.startsWith("| `"))
                .flatMap(line -> PATH.matcher(line.split(" [|] ", 2)[0]).results())
                .map(found -> found.group(1))
                .toList();
        String slot = service.app().json("/leases").findPath("slot").asText();
        String scheme = service.app().json("/leases").findPath("scheme").asText();

        assertTrue(paths.size() > 10, paths.toString());
        for (String path : paths) {
            String asked = path.replace("SCHEME", scheme).replace("SLOT", slot);
            assertEquals(path.startsWith("/tasks/") ? 405 : 200, service.admin().status(asked), asked);
        }
        for (ServletMapping servlet : service.support()
                .getEnvironment()
                .getAdminContext()
                .getServletHandler()
                .getServletMappings()) {
            for (String pattern : servlet.getPathSpecs()) {
                String beginning = pattern.replace("*", "");
                assertTrue(paths.stream().anyMatch(path -> (path + "/").startsWith(beginning)), pattern);
            }
        }
    }

    /** A request that the pattern does not know would be run by nobody. */
    @Test
    void shouldKnowEveryRequestOnThePages() throws IOException {
        long written = matches(Pattern.compile("curl .*localhost:8080"), PAGES).count();

        assertEquals(written, matches(REQUEST, PAGES).count());
    }

    static Stream<Arguments> requests() throws IOException {
        return matches(REQUEST, PAGES).map(found -> {
            String body = found.group(2).replaceAll("-d '?([^' ]+)'? ", "&$1").replaceFirst("&", "");
            String usual = body.isEmpty() ? "*/*" : "application/x-www-form-urlencoded";
            return arguments(found.group(3), Optional.ofNullable(found.group(1)).orElse(usual), body);
        });
    }

    /** In the order of the documents: what is drained is resumed. */
    @Test
    void shouldChangeWhatTheDocumentsSayOnTheAdminPort() throws IOException {
        List<MatchResult> changes = matches(CHANGE, PAGES).toList();
        assertEquals(3, changes.size());
        for (MatchResult change : changes) {
            Http port = change.group(1) == null ? service.strangersAdmin() : service.admin();
            assertEquals(200, port.send("POST", change.group(2), "*/*").statusCode(), change.group());
            if (!change.group(2).endsWith("drain")) {
                service.awaitServing();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldDoWhatTheDocumentsTellTheCommandLine(String command, @TempDir Path directory) throws IOException {
        Path config = ConfigFile.in(directory);
        String here = command.replaceFirst(" -c \\S+", "") + (command.startsWith("generate") ? " -c " + config : "");

        assertEquals("", CommandLine.run(here.split(" ", -1)).error());
    }

    static Stream<String> commands() throws IOException {
        return matches(COMMAND, PAGES).map(found -> found.group(1).strip());
    }

    /** A pool is called by its scheme. */
    @Test
    void shouldNameEveryCheckOfTheDoctorInTheOperationsGuide(@TempDir Path directory) throws IOException {
        Path config = ConfigFile.in(directory);
        List<String> checks;
        try (ZooKeeperInUse zookeeper = ConfigFile.start(config)) {
            checks = Doctor.examine(zookeeper.settings()).stream()
                    .map(Check::name)
                    .toList();
        }
        String guide = Files.readString(ROOT.resolve("docs/operations.md"));
        List<String> documented = Pattern.compile("(?m)^\\| `([A-Za-z]+)`, ")
                .matcher(guide)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertEquals(documented, checks.subList(0, documented.size()));
        assertEquals(Schemes.names(), checks.subList(documented.size(), checks.size()));
    }

    @Test
    void shouldNameEveryStateInTheOperationsGuide() throws IOException {
        List<String> documented = matches(STATE, "docs/operations.md")
                .map(found -> found.group(1))
                .toList();
        List<String> existing = Stream.concat(
                        Arrays.stream(FenceReason.values()).map(FenceReason::code),
                        Stream.of("over-capacity", "ahead", "too-far-ahead", "busy"))
                .toList();

        assertEquals(
                existing.stream().sorted().toList(),
                documented.stream().sorted().toList());
    }

    /** What a problem points to is what the guide says. */
    @Test
    void shouldServeTheSectionOfEveryState() {
        for (FenceReason reason : FenceReason.values()) {
            HttpResponse<String> section = service.app().get("/problems/" + reason.code());
            assertEquals(200, section.statusCode(), reason.code());
            assertTrue(section.body().startsWith("### " + reason.code() + "\n\n"), section.body());
            assertTrue(section.body().contains("\nTo do: "), section.body());
            assertFalse(section.body().contains("\n#"), section.body());
        }
        assertEquals(404, service.app().status("/problems/nope"));
    }

    @Test
    void shouldExistWhenTheDocumentsNameAFile() throws IOException {
        for (String document : PAGES) {
            List<Path> named = matches(LINK, document)
                    .map(found -> ROOT.resolve(found.group(1) == null ? document : "README.md")
                            .resolveSibling(found.group(found.group(1) == null ? 2 : 1)))
                    .toList();
            assertFalse(named.isEmpty(), document);
            named.forEach(file -> assertTrue(Files.exists(file), file.toString()));
        }
    }

    @Test
    void shouldHaveAHeadingForEveryAnchor() throws IOException {
        assertTrue(matches(ANCHOR, PAGES).count() > PAGES.length, "links to headings");
        for (String document : PAGES) {
            Path page = ROOT.resolve(document);
            for (MatchResult link : matches(ANCHOR, document).toList()) {
                Path to = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                List<String> anchors = HEADING.matcher(Files.readString(to))
                        .results()
                        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                        .map(heading -> heading.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
                        .toList();
                assertTrue(anchors.contains(link.group(2)), () -> document + " has " + link.group());
            }
        }
    }

    @Test
    void shouldExplainEveryFigureOfTheDashboard() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(ROOT.resolve("config/grafana/dashboards/id-allocator.json")
                        .toFile());
        List<String> figures = new ArrayList<>();
        dashboard.get("panels").forEach(panel -> figures.add(panel.get("title").asText()));
        assertEquals(figures, firstCells("docs/operations.md", "figure"));
    }

    /** The waits are those of the settings that a file has that says nothing. */
    @Test
    void shouldSayHowLargePoolsAreAndHowLongWaitsLast() throws IOException {
        String sizing = Files.readString(ROOT.resolve("docs/deploying.md"));
        for (Scheme<?> scheme : Schemes.all()) {
            scheme.pool()
                    .ifPresent(pool -> assertTrue(
                            sizing.contains(String.format(Locale.ROOT, "| `%s` | %,d |", scheme.name(), pool.size())),
                            () -> scheme.name() + " has " + pool.size()));
        }
        Terms usual = AllocatorSettings.of(List.of(), ZooKeeperSettings.of("localhost:2181"))
                .terms();
        for (String row : List.of(
                "W / 4 | " + usual.window().toMillis() / 4_000.0 + " s |",
                "W at most | " + usual.window().toSeconds() + " s |",
                "W + 2 x K at most | " + usual.ahead().minus(Terms.SLACK).toSeconds() + " s |",
                "W + 2 x K + 2 s | " + usual.ahead().toSeconds() + " s |",
                "the largest W + 2 x the largest K + 2 s | "
                        + Terms.undeclared().ahead().toSeconds() + " s |")) {
            assertTrue(sizing.contains(row), row);
        }
    }

    /** A tenth of a pool stays free: each crash takes a slot for the window and twice the skew. */
    @Test
    void shouldSayHowLongWindowsMayBe() throws IOException {
        List<String> rows =
                matches(WINDOW_ROW, "docs/deploying.md").map(MatchResult::group).toList();
        assertTrue(rows.size() > 10, rows::toString);
        for (String row : rows) {
            MatchResult cells = WINDOW_ROW.matcher(row).results().findFirst().orElseThrow();
            SlotPool pool = Schemes.leased(cells.group(1), Schemes.all()).pool().orElseThrow();
            assertEquals(String.format(Locale.ROOT, "%,d", pool.size()), cells.group(2), row);
            long free = pool.size() * 9 / 10 - Long.parseLong(cells.group(3));
            Duration cooling = Duration.ofHours(free).dividedBy(Long.parseLong(cells.group(4)));
            Duration window = cooling.minus(Terms.MAX_CLOCK_SKEW.usual().multipliedBy(2));
            Duration longest =
                    pool.longestTenure().map(ends -> Duration.ofMinutes(10)).orElse(Terms.WINDOW.most());
            assertEquals(inWords(Comparators.min(window, longest)), cells.group(5), row);
        }
    }

    private static String inWords(Duration window) {
        return window.toHours() == 0
                ? window.toMinutes() + " min"
                : String.format(Locale.ROOT, "%d h %02d min", window.toHours(), window.toMinutesPart());
    }

    private static List<String> firstCells(String document, String heading) throws IOException {
        return Files.readString(ROOT.resolve(document))
                .lines()
                .dropWhile(line -> !line.startsWith("| " + heading + " |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split(" [|] ", 2)[0].substring(2))
                .toList();
    }

    private static Stream<MatchResult> matches(Pattern pattern, String... documents) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String document : documents) {
            text.append(Files.readString(ROOT.resolve(document)));
        }
        return pattern.matcher(text.toString()).results();
    }
}
