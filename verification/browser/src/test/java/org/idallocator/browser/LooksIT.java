package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openqa.selenium.Keys;

/** The console on both widths, in both colour schemes and in each state: axe finds nothing, and all fits in. */
@ProofOnly("minutes of a browser")
final class LooksIT extends InBrowser {
    @ParameterizedTest
    @EnumSource
    void shouldShowReplicaThatServesAndWhatAnIdSays(Look look) {
        ConsolePage page = open(Fleet.first().uri("/"), look);
        page.awaitReady();
        page.click("#draw-one");
        page.awaitAny("[data-action=read]");
        page.click("[data-action=read]");
        page.awaitText("#read-result .reading h3", "sno");
        Pictures.requireFit(page, look, "serves");
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowFencedSchemeAndFullPool(Look look) {
        expectRefusals();
        ConsolePage page = open(Fleet.second().uri("/"), look);
        page.awaitState("sno", "fenced");
        assertEquals("partly", page.attribute("#health", "data-state"));
        assertTrue(
                page.text("#health").startsWith("4 schemes serve; sno fenced: every slot of the pool is held"),
                page.text("#health"));
        page.awaitText(scheme("sno") + " .why", "no-free-slot: every slot of the pool is held");
        assertEquals("problems/no-free-slot", page.attribute(scheme("sno") + " .why a", "href"));
        assertTrue(Answers.text(Fleet.second(), "/problems/no-free-slot").startsWith("### no-free-slot"));
        page.one("#read-id").sendKeys("no ID", Keys.ENTER);
        page.awaitText("#read-said", "no ID");
        page.click("#draw-one");
        page.awaitText("#draw-result .problem", "every slot of the pool is held");
        assertEquals("alert", page.attribute("#draw-result .problem", "role"));
        assertEquals(0, page.count("#drawn"));
        assertEquals(Fleet.SNO_SLOTS, page.count(scheme("sno") + " .map .cell[data-state=held]"));
        Pictures.requireFit(page, look, "fenced");
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowWhatOperatorsCanDo(Look look) {
        ConsolePage page = open(Fleet.second().adminUri("/"), look);
        Pictures.requireFit(page, look, "operators");
        page.click("#drain");
        Pictures.requireFit(page, look, "asks-back");
    }

    @Test
    void shouldFollowTheColoursThatTheReaderPrefers() {
        ReplicaProcess replica = Fleet.first();
        ConsolePage page = open(replica.uri("/"), Look.WIDE_LIGHT);
        String light = paper(page);
        page.browser().use(Look.WIDE_DARK);
        assertNotEquals(light, paper(page));
        page.browser().use(Look.WIDE_LIGHT);
        assertEquals(light, paper(page));
    }

    private static String paper(ConsolePage page) {
        return page.ask(String.class, "return getComputedStyle(document.body).backgroundColor");
    }
}
