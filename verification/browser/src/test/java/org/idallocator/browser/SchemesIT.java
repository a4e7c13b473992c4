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

    /** The pool's own counts leave out what has a name that is no slot's. */
    @Test
    void shouldCountAsUnreadableWhatItShowsSo() {
        String stray = """
                for (const pool of state.cluster.pools ?? []) {
                  if (pool.counts.scheme === 'sno') {
                    pool.slots.push({ slot: 'no-slot', state: 'unreadable', unreadable: 'no slot has this name' });
                  }
                }""";
        ConsolePage page = openTold(stray, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        String sno = ConsolePage.scheme("sno");
        assertEquals(1, page.all(sno + " .map [data-state=unreadable]").size());
        assertEquals("1", page.attribute(sno + " .legend [data-state=unreadable]", "data-count"));
        assertEquals(
                0,
                page.all(ConsolePage.scheme("uid60") + " .legend [data-state=unreadable]")
                        .size());
    }
}
