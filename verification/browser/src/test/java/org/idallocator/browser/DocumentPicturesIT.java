package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Rectangle;

/**
 * The pictures that the documents show. They are made anew in {@code docs} with {@code -Dscreenshots=docs}, which the
 * profile {@code screenshots} sets, and beside the other pictures in every proof.
 */
@ProofOnly("minutes of a browser")
final class DocumentPicturesIT extends InBrowser {
    private static final boolean FOR_DOCUMENTS = "docs".equals(System.getProperty("screenshots"));
    private static final Path TO =
            FOR_DOCUMENTS ? Path.of("..", "..", "docs") : Path.of("target", "screenshots", "docs");

    /** About as wide as a document is shown, so that the picture is not made smaller. */
    private static final int WIDTH = 960;

    /** How many rates a plot shows at least, one every two seconds. A document has two minutes and a half of them. */
    private static final int RATES = FOR_DOCUMENTS ? 75 : 3;

    private static final int MARGIN = 24;

    private static final String RATES_SHOWN = """
            return Math.min(...[...document.querySelectorAll('.plot .line')].map(line => (line.getAttribute('d') ?? '').split('L').length))""";

    @Test
    void shouldShowThreeReplicasThatAreWellAndBusy() {
        try (BusyFleet fleet = BusyFleet.start()) {
            ConsolePage page = open(fleet.replica().uri("/"), Look.WIDE_LIGHT);
            page.browser().resize(WIDTH);
            page.awaitReady();
            page.until(
                    "all replicas hold a slot of each scheme",
                    () -> page.count("#replica-list li") == BusyFleet.NAMES.size()
                            && BusyFleet.SCHEMES.stream()
                                    .allMatch(name -> slots(page, name, "here") == 1
                                            && slots(page, name, "held") == BusyFleet.NAMES.size() - 1));
            awaitRates(page);
            assertEquals(0, page.count("[data-level=low], [data-level=none]"), "what is worth a look");
            assertEquals(Set.of("0"), Set.copyOf(refused(page)));
            write("console.png", page, 0, "#replica-list");
            leave();
        }
    }

    @Test
    void shouldShowAFullPoolAndAClockThatIsAhead() {
        try (FullPool pool = FullPool.start()) {
            ConsolePage page = open(pool.third().uri("/"), Look.WIDE_LIGHT);
            page.browser().resize(WIDTH);
            page.awaitText(scheme("sno") + " .why", "no-free-slot: every slot of the pool is held");
            page.until(
                    "all slots are held or retired",
                    () -> slots(page, "sno", "free") == 0
                            && slots(page, "sno", "retired") == FullPool.RETIRED.size()
                            && slots(page, "sno", "held") == FullPool.HELD_BY_FIRST + FullPool.HELD_BY_SECOND);
            page.until(
                    "the clock of the second replica is told",
                    () -> page.texts("#replica-list li:has([data-level=low]) h3")
                            .equals(List.of(FullPool.SECOND)));
            awaitRates(page);
            write("console-trouble.png", page, 0, "#replica-list");
            leave();
        }
    }

    @Test
    void shouldShowWhatAnIdSaysOnAPhoneInTheDark() {
        ConsolePage page =
                open(Fleet.first().uri("/#read=" + Answers.text(Fleet.first(), "/ids/sno")), Look.PHONE_DARK);
        page.awaitText("#read-result .reading h3", "sno");
        write("console-phone.png", page, page.one("#read").getRect().getY(), "#read .card");
    }

    private static int slots(ConsolePage page, String scheme, String state) {
        return Integer.parseInt(page.attribute(scheme(scheme) + " .legend [data-state=" + state + "]", "data-count"));
    }

    private static List<String> refused(ConsolePage page) {
        return page.all("[data-refused]").stream()
                .map(total -> String.valueOf(total.getDomAttribute("data-refused")))
                .toList();
    }

    private static void awaitRates(ConsolePage page) {
        page.until(RATES + " rates are shown", () -> page.ask(Long.class, RATES_SHOWN) >= RATES);
    }

    /** Writes what stands between so many pixels below the page's top and the end of an element. */
    private static void write(String file, ConsolePage page, int top, String last) {
        page.run("document.documentElement.style.scrollbarWidth = 'none'"); // pictures have none, so lines are longer
        // there
        int width = Math.toIntExact(page.ask(Long.class, "return innerWidth"));
        int height;
        byte[] picture;
        do { // until nothing has become longer or shorter meanwhile
            height = end(page, last) - top;
            picture = page.browser().picture(top, width, height);
        } while (end(page, last) - top != height);
        Pictures.write(TO.resolve(file), picture);
    }

    private static int end(ConsolePage page, String last) {
        Rectangle element = page.one(last).getRect();
        return element.getY() + element.getHeight() + MARGIN;
    }
}
