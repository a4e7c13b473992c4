package org.idallocator.browser;

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
        page.awaitText(ConsolePage.scheme("gid") + " .flow", "IDs a second over HTTP");
        page.awaitText(ConsolePage.scheme("gid") + " .flow", "over HTTP since the start");
    }

    /** The replica tells of what {@code window.busy} says. */
    @Test
    void shouldSayWhichLimitsHaveRefusedRequests() {
        String busy = "Object.assign(state.busy, window.busy)";
        ConsolePage page = openTold(busy, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        assertEquals("No request refused as busy since the start", page.text("#busy"));

        page.browser().driver().executeScript("window.busy = { requests: 1200, streams: 1 }");
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
        page.browser().driver().executeScript("""
                const fenced = { state: 'fenced', detail: 'nobody answers' };
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
        assertFalse(page.one(ConsolePage.scheme("gid") + " .flow").isDisplayed());
        assertFalse(page.one(ConsolePage.scheme("sno") + " .flow").isDisplayed());
        assertFalse(page.one("#busy").isDisplayed());
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

    @Test
    void shouldFoldManyHeldSlotsIntoOneLine() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.PHONE_LIGHT);
        String uid60 = ConsolePage.scheme("uid60");
        assertTrue(
                page.text(uid60 + " .work > .holding .name")
                        .matches("Holds 24 slots, the least reserved [0-9.]+ s, the nearest deadline [0-9.]+ s"),
                page.text(uid60 + " .work > .holding .name"));
        assertEquals(2, page.all(uid60 + " .work > .holding [role=meter]").size());
        assertFalse(page.one(uid60 + " .held").isDisplayed());
        page.click(uid60 + " .each summary");
        assertEquals(Fleet.HELD_BY_FIRST, page.all(uid60 + " .held li").size());
        page.until(
                "each is shown",
                () -> page.one(uid60 + " .held li:last-child [role=meter]").isDisplayed());
        String total = ConsolePage.scheme("gid") + " [data-issued]";
        long before = Long.parseLong(page.attribute(total, "data-issued"));
        Answers.text(Fleet.first(), "/ids/gid");
        page.until("the page goes on", () -> Long.parseLong(page.attribute(total, "data-issued")) > before);
        assertTrue(page.one(uid60 + " .held").isDisplayed());
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
        String uid60 = ConsolePage.scheme("uid60");
        requireHeld(page, 4, true);
        assertFalse(page.one(uid60 + " .work > .holding").isDisplayed());

        page.browser().driver().executeScript("window.shown = 5");
        page.awaitText(
                uid60 + " .work > .holding .name",
                "Holds 5 slots, the least reserved 1.5 s, the nearest deadline 2.1 s");
        requireHeld(page, 5, false);
        assertEquals("Each of the 5 slots", page.text(uid60 + " .each summary"));
        page.one(uid60 + " .each summary").sendKeys(Keys.ENTER);
        requireHeld(page, 5, true);

        page.browser().driver().executeScript("window.shown = 6");
        page.awaitText(uid60 + " .work > .holding .name", "Holds 6 slots, ");
        requireHeld(page, 6, true);

        page.browser().driver().executeScript("window.shown = 4");
        page.until(
                "nothing is folded", () -> !page.one(uid60 + " .each summary").isDisplayed());
        requireHeld(page, 4, true);
    }

    private static void requireHeld(ConsolePage page, int number, boolean shown) {
        String held = ConsolePage.scheme("uid60") + " .held";
        assertEquals(number, page.all(held + " li").size());
        assertEquals(shown, page.one(held + " li:last-child [role=meter]").isDisplayed());
    }

    @Test
    void shouldShowFewHeldSlotsAsTheyAre() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        String muid = ConsolePage.scheme("muid");
        assertTrue(page.text(muid + " .held li").startsWith("Holds slot "), page.text(muid + " .held li"));
        assertFalse(page.one(muid + " .work > .holding").isDisplayed());
        assertFalse(page.one(muid + " .each summary").isDisplayed());
        assertFalse(page.one(ConsolePage.scheme("gid") + " .each").isDisplayed());
    }
}
