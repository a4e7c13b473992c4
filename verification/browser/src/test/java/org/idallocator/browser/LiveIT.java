package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console while somebody looks: it follows the replica without a reload, and says when it is cut off. */
@ProofOnly("minutes of a browser")
final class LiveIT extends InBrowser {
    private static final String SETTINGS = """
            zookeeper:
              sessionTimeout: 4s
              embedded: {enabled: true, dataDir: '%s'}
            window: 4s
            """;
    private static final String SEEN = """
            return [...document.querySelectorAll('h1, h2, h3, .legend, .plot')]
              .map(element => `${element.textContent.trim().slice(0, 20)} ${element.getBoundingClientRect().y + scrollY}`)""";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void shouldFollowWithoutReloadAndWithoutJump() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.run("window.sameAsBefore = true");
        page.awaitAny("#draw-one");
        List<String> places = page.browser().texts(SEEN);
        for (int i = 0; i < 3; i++) {
            long before = page.issued("gid");
            Answers.text(Fleet.first(), "/ids/gid?count=10");
            page.awaitIssued("gid", before + 10);
            assertEquals(places, page.browser().texts(SEEN));
        }
        assertEquals(true, page.ask(Boolean.class, "return window.sameAsBefore === true"));
        assertEquals("polite", page.attribute("#health", "aria-live"));
    }

    /** ZooKeeper may be away for long: only the first few questions follow each other at once. */
    @Test
    void shouldAskSeldomWhileZooKeeperWasNeverSeen() {
        String unseen = """
                (window.heard ??= []).push(performance.now());
                if (window.heard.length < 8) state.cluster = {};""";
        ConsolePage page = openTold(unseen, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        List<Double> heard = page.browser().texts("return window.heard").stream()
                .map(Double::valueOf)
                .toList();
        assertTrue(heard.get(6) - heard.get(5) > 500, heard::toString);
    }

    /** Nobody has looked for a while, and the replica still has what ZooKeeper showed then. */
    @Test
    void shouldShowNothingOldToWhoeverComes() {
        String old = """
                if (window.hidden === undefined) {
                  state.cluster.ageMillis = 3600000;
                  window.hidden = null;
                } else if (window.hidden === null) {
                  window.hidden = document.getElementById('main').hidden;
                }""";
        ConsolePage page = openTold(old, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        assertEquals(true, page.ask(Boolean.class, "return window.hidden"));
    }

    @Test
    void shouldSayWhenItIsCutOffAndGoOn() throws IOException {
        String settings = SETTINGS.formatted(directory.toRealPath().resolve("data"));
        try (ReplicaProcess replica = ReplicaProcess.start(directory, "alone", settings, List.of("-Xmx256m"))
                .awaitReady()) {
            expectRefusals();
            ConsolePage page = open(replica.uri("/"), Look.PHONE_LIGHT);
            page.awaitReady();
            page.awaitAny("#draw-one");
            List<String> places = page.browser().texts(SEEN);
            replica.process().pause();
            page.awaitText("#cutoff", "Cut off since ");
            assertEquals("cutoff", page.attribute("#health", "data-state"));
            assertEquals("The replica does not answer", page.text("#health"));
            assertEquals(places, page.browser().texts(SEEN));
            assertEquals("alert", page.attribute("#cutoff", "role"));
            assertTrue(page.text("#cutoff").contains(", last seen "), page.text("#cutoff"));
            for (Look look : Look.values()) {
                page.browser().use(look);
                Pictures.requireFit(page, look, "cut-off");
            }
            replica.process().resume();
            page.awaitHidden("#cutoff");
            page.awaitReady();
            assertEquals("All 5 schemes serve", page.text("#health"));
        }
    }

    @Test
    void shouldGoOnWithTheReplicaThatWasRestarted() {
        expectRefusals();
        ReplicaProcess replica = Fleet.second();
        ConsolePage page = open(replica.adminUri("/"), Look.WIDE_LIGHT);
        String self = "#replica-list [data-here] .who";
        page.awaitText(self, "process " + replica.process().pid());
        Answers.text(replica, "/ids/gid?count=10");
        page.awaitIssued("gid", 10);
        page.one("#read-id").sendKeys("half an ID");
        replica.restart();
        page.awaitText("#cutoff", "Cut off since ");
        page.awaitHidden("#cutoff");
        page.awaitText(self, "process " + replica.process().pid());
        page.awaitState("uid60", "active");
        assertEquals(0, page.issued("gid"));
        assertEquals("half an ID", page.value("#read-id"));
        page.until(
                "only the slots that it holds now are its own",
                () -> page.count(scheme("uid60") + " .map [data-state=here]") == 1
                        && page.count(scheme("uid60") + " .map [data-state=held]") == Fleet.HELD_BY_FIRST
                        && page.count("#replica-list li") == 2);
    }

    /** The replica is restarted with another configuration: it serves a scheme more, and then one less. */
    @Test
    void shouldOfferTheSchemesThatAreServedNow() {
        String few = """
                const asked = window.fetch;
                window.fetch = async (path, ...more) => {
                  const answer = await asked(path, ...more);
                  if (path !== 'ids' && !path.startsWith('console/state')) return answer;
                  const body = await answer.json();
                  body.schemes = body.schemes.filter(scheme => scheme.name !== (window.without ?? 'gid'));
                  return new Response(JSON.stringify(body));
                };""";
        ConsolePage page = openAfter(few, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.until("there is a choice", () -> page.texts("#draw-scheme option").size() == 4);
        page.one("#draw-scheme").sendKeys("uid60");
        assertEquals("uid60", page.value("#draw-scheme"));
        page.run("window.without = 'none'");
        page.until("all are offered", () -> page.texts("#draw-scheme option").contains("gid"));
        assertEquals("uid60", page.value("#draw-scheme"));
        assertTrue(page.shows(scheme("gid")));
        page.run("window.without = 'uid60'");
        page.until(
                "it is offered no more",
                () -> !page.texts("#draw-scheme option").contains("uid60"));
        assertEquals("sno", page.value("#draw-scheme"));
        assertEquals(List.of(), page.all(scheme("uid60")));
        page.click("#draw-one");
        page.until("one ID was drawn", () -> page.count("#drawn") == 1);
    }

    /** The ZooKeeper of one replica is the process of another one, which stops. */
    @Test
    void shouldGoOnWithoutZooKeeperAndSayWhatItDoesNotKnow() throws IOException {
        String settings = SETTINGS.formatted(directory.toRealPath().resolve("data"));
        List<String> options = List.of("-Xmx256m");
        try (ReplicaProcess zookeeper = ReplicaProcess.start(directory, "with-zookeeper", settings, options)
                        .awaitReady();
                ReplicaProcess replica = ReplicaProcess.start(directory, "without", settings, options)
                        .awaitReady()) {
            expectRefusals();
            ConsolePage page = open(replica.uri("/"), Look.WIDE_LIGHT);
            page.awaitReady();
            zookeeper.process().pause();
            page.awaitState("sno", "fenced");
            page.until(
                    "the age of what is seen grows",
                    () -> page.text("#seen").matches(".*ZooKeeper, seen \\d+(\\.\\d)? s ago.*"));
            assertEquals("active", page.attribute(scheme("gid"), "data-state"));
            page.awaitText("#health", "fenced: ZooKeeper cannot be reached");
            assertEquals(false, page.shows("#cutoff"));
            for (Look look : Look.values()) {
                page.browser().use(look);
                Pictures.requireFit(page, look, "zookeeper-away");
            }
            zookeeper.process().resume();
            page.awaitState("sno", "active");
        }
    }
}
