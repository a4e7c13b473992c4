package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What the console shows of a scheme: what is counted, and what is held. */
@ProofOnly("minutes of a browser")
final class SchemesIT extends InBrowser {
    @Test
    void shouldSayThatRequestsAreCounted() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.awaitText(scheme("gid") + " .flow", "IDs a second over HTTP");
        page.awaitText(scheme("gid") + " .flow", "over HTTP since the start");
    }

    /** The replica tells of what {@code window.busy} says. */
    @Test
    void shouldSayWhichLimitsHaveRefusedRequests() {
        String busy = "Object.assign(state.busy, window.busy)";
        ConsolePage page = openTold(busy, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        assertEquals("No request refused as busy since the start", page.text("#busy"));

        page.run("window.busy = { requests: 1200, streams: 1 }");
        page.awaitText(
                "#busy", "1,201 requests refused as busy since the start (limits.streams 1, limits.requests 1,200)");
    }

    /** The replica tells of schemes what {@code window.told} says. */
    @Test
    void shouldSayInOneLineHowTheReplicaIs() {
        String told = """
                for (const [name, more] of Object.entries(window.told ?? {})) {
                  Object.assign(state.schemes.find(scheme => scheme.name === name), more);
                }
                state.leaving = Boolean(window.told);""";
        ConsolePage page = openTold(told, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.awaitText("#health", "All 5 schemes serve");
        page.run("""
                const fenced = { state: 'fenced', reason: 'unreachable', detail: 'nobody answers' };
                window.told = { sno: fenced, gid: fenced, uid60: { serving: 1, least: 2, lacking: 'every slot is held' } };""");
        page.awaitText(
                "#health",
                "3 schemes serve; sno, gid fenced: nobody answers; uid60 has 1 of 2 slots: every slot is held;"
                        + " about to be drained");
    }

    /** A program that draws IDs itself counts nothing here. */
    @Test
    void shouldShowNoCountsWhereNothingIsCounted() {
        String uncounted = """
                for (const scheme of state.schemes) {
                  Object.assign(scheme, { issued: null, refused: null });
                }
                state.busy = null;""";
        ConsolePage page = openTold(uncounted, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        assertFalse(page.shows(scheme("gid") + " .flow"));
        assertFalse(page.shows(scheme("sno") + " .flow"));
        assertFalse(page.shows("#busy"));
        assertTrue(page.shows(scheme("muid") + " .held"));
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
        String sno = scheme("sno");
        assertEquals(1, page.count(sno + " .map [data-state=unreadable]"));
        assertEquals("1", page.attribute(sno + " .legend [data-state=unreadable]", "data-count"));
        assertEquals(0, page.count(scheme("uid60") + " .legend [data-state=unreadable]"));
    }

    /** The replica tells of as many slots as {@code window.shown} says. */
    @Test
    void shouldFoldMoreThanFourAndTellTheWorst() {
        String some = """
                const uid60 = state.schemes.find(scheme => scheme.name === 'uid60');
                uid60.held = uid60.held.slice(0, window.shown ?? 4);
                uid60.held.forEach((slot, i) => {
                  Object.assign(slot, { timeLeftMillis: 1500 + 100 * i, deadlineMillis: 2500 - 100 * i });
                });""";
        ConsolePage page = openTold(some, Fleet.first().uri("/"), Look.WIDE_DARK);
        String uid60 = scheme("uid60");
        requireHeld(page, 4, true);
        assertTrue(page.text(uid60 + " .held li").startsWith("Holds slot "), page.text(uid60 + " .held li"));
        assertFalse(page.shows(uid60 + " .work > .holding"));
        assertFalse(page.shows(scheme("gid") + " .each"));

        page.run("window.shown = 5");
        page.awaitText(
                uid60 + " .work > .holding .name",
                "Holds 5 slots, the least reserved 1.5 s, the nearest deadline 2.1 s");
        requireHeld(page, 5, false);
        assertEquals("Each of the 5 slots", page.text(uid60 + " .each summary"));
        page.one(uid60 + " .each summary").sendKeys(Keys.ENTER);
        requireHeld(page, 5, true);

        page.run("window.shown = 6");
        page.awaitText(uid60 + " .work > .holding .name", "Holds 6 slots, ");
        requireHeld(page, 6, true);

        page.run("window.shown = 4");
        page.awaitHidden(uid60 + " .each summary");
        requireHeld(page, 4, true);
    }

    private static void requireHeld(ConsolePage page, int number, boolean shown) {
        String held = scheme("uid60") + " .held";
        assertEquals(number, page.count(held + " li"));
        assertEquals(shown, page.shows(held + " li:last-child [role=meter]"));
    }
}
