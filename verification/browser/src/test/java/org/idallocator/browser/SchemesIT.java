package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;

/** What the console shows of a scheme: what is counted, and what is held. */
@ProofOnly("minutes of a browser")
final class SchemesIT extends InBrowser {
    @Test
    void shouldSayThatRequestsAreCounted() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.awaitText(ConsolePage.scheme("gid") + " .flow", "IDs a second over HTTP");
        page.awaitText(ConsolePage.scheme("gid") + " .flow", "over HTTP since the start");
    }

    /** A program that draws IDs itself counts nothing here. */
    @Test
    void shouldShowNoCountsWhereNothingIsCounted() {
        String uncounted = """
                for (const scheme of state.schemes) {
                  Object.assign(scheme, { issued: null, refused: null, perSecond: null });
                }""";
        ConsolePage page = openTold(uncounted, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        assertFalse(page.one(ConsolePage.scheme("gid") + " .flow").isDisplayed());
        assertFalse(page.one(ConsolePage.scheme("sno") + " .flow").isDisplayed());
        assertTrue(page.one(ConsolePage.scheme("muid") + " .held").isDisplayed());
    }
}
