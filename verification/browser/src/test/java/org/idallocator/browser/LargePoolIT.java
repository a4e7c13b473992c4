package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The largest pool that is drawn as a map, with slots in every state. */
@ProofOnly("minutes of a browser")
final class LargePoolIT extends InBrowser {
    private static final String SNO = scheme("sno");
    private static final int SMALLEST_CELL = 10;

    /**
     * How many pixels the smallest cell has, whether all are within the window, and how many kinds of cells one sees.
     */
    private static final String DRAWN = """
            const cells = [...document.querySelectorAll(arguments[0] + ' .map .cell')];
            const boxes = cells.map(cell => cell.getBoundingClientRect());
            const looks = new Map(cells.map(cell => [cell.dataset.state, getComputedStyle(cell)]));
            return [Math.floor(Math.min(...boxes.map(box => Math.min(box.width, box.height)))),
              boxes.every(box => box.left >= 0 && box.right <= document.documentElement.clientWidth),
              new Set([...looks.values()].map(look => look.backgroundImage + look.backgroundColor + look.borderRadius)).size]""";

    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private static LargePool pool;

    @BeforeAll
    static void fillPool() {
        pool = LargePool.start();
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowEachSlotOfALargePoolWithEverythingInIt(Look look) {
        ConsolePage page = open(pool.replica().uri("/"), look);
        Map<String, Integer> expected = Map.of(
                "here",
                LargePool.HELD_HERE,
                "held",
                LargePool.HELD_BY_OTHERS,
                "cooling",
                LargePool.COOLING.size(),
                "retired",
                LargePool.RETIRED.size());
        page.until(
                "all is as it was made",
                () -> expected.entrySet().stream()
                        .allMatch(state ->
                                page.count(SNO + " .map [data-state=" + state.getKey() + "]") == state.getValue()));
        assertEquals(LargePool.SLOTS, page.count(SNO + " .map .cell"));
        expected.forEach((state, number) -> assertEquals(
                number.toString(), page.attribute(SNO + " .legend [data-state=" + state + "]", "data-count"), state));
        requireLegible(page);
        Pictures.requireFit(page, look, "large-pool");
    }

    /** The narrowest window that has rows of 64 slots, and what is below that. */
    @ParameterizedTest
    @ValueSource(ints = {960, 959, 861})
    void shouldShowLegibleSlotsInAnyWindow(int width) {
        ConsolePage page = open(pool.replica().uri("/"), Look.WIDE_LIGHT);
        page.browser().resize(width);
        requireLegible(page);
    }

    private static void requireLegible(ConsolePage page) {
        List<String> drawn = page.browser().texts(DRAWN, SNO);
        assertTrue(Integer.parseInt(drawn.get(0)) >= SMALLEST_CELL, drawn::toString);
        assertEquals(List.of("true", "5"), drawn.subList(1, 3));
    }

    @Test
    void shouldSayOfEachSlotHowItIs() {
        ConsolePage page = open(pool.replica().adminUri("/"), Look.WIDE_LIGHT);
        String free = DateTimeFormatter.ofPattern("HH:mm:ss")
                .withZone(ZoneId.systemDefault())
                .format(pool.coolUntil());
        for (int slot : LargePool.RETIRED) {
            requireWords(page, LargePool.name(slot), "retired");
        }
        for (int slot : LargePool.COOLING) {
            requireWords(page, LargePool.name(slot), "cooling until (\\d+ \\w+ )?" + free);
        }
        requireWords(
                page, page.attribute(SNO + " .map [data-state=held]", "data-slot"), "held by other-\\d on .*since.*");
        requireWords(
                page,
                page.attribute(SNO + " .map [data-state=here]", "data-slot"),
                "held by this replica\\W+ids-3 on .*since.*");
        page.click(ConsolePage.cell("sno", LargePool.name(LargePool.RETIRED.get(1))));
        assertFalse(page.shows("#ask"));
    }

    /** The fleet names a few of a replica's slots, as the map has them all; and one sees which replica tells this. */
    @Test
    void shouldNameAFewOfManySlots() {
        ConsolePage page = open(pool.replica().uri("/"), Look.PHONE_DARK);
        page.until("all are members", () -> page.count("#replica-list li") == 3);
        String names = "sno (\\d{4}, ){5}\\d{4}";
        page.requireText("[data-replica=ids-3] .has dd", names);
        page.requireText("[data-replica=other-0] .has dd", names + " and 42 more");
        String edge = "return getComputedStyle(document.querySelector(arguments[0])).boxShadow";
        assertNotEquals(
                page.ask(String.class, edge, "[data-replica=other-0]"),
                page.ask(String.class, edge, "[data-replica=ids-3]"));
    }

    /**
     * Both what a screen reader says and the tip. A page that was scrolled hides the tip, until somebody points at the
     * slot again.
     */
    private static void requireWords(ConsolePage page, String slot, String words) {
        WebElement cell = page.one(ConsolePage.cell("sno", slot));
        String label = String.valueOf(cell.getDomAttribute("aria-label"));
        assertTrue(label.matches("slot " + slot + ", " + words), label);
        page.hover(cell);
        page.until("the tip says " + words, () -> {
            if (!page.shows("#tip")) {
                page.hover(page.one(SNO + " .legend"));
                page.hover(cell);
            }
            return page.text("#tip").replace('\n', ' ').matches("Slot " + slot + " " + words);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"WIDE_LIGHT", "PHONE_LIGHT"})
    void shouldLeadToAnySlotInFewSteps(Look look) {
        ConsolePage page = open(pool.replica().uri("/"), look);
        page.tabTo(SNO + " .map [tabindex='0']");
        page.awaitText("#tip", "a number to that slot");
        page.press("700");
        requireFocus(page, LargePool.name(700));
        assertFalse(page.text("#tip").contains("a number"), page.text("#tip"));
        page.press(Keys.END);
        requireFocus(page, LargePool.name(1_023));
        page.press(Keys.HOME);
        requireFocus(page, LargePool.name(0));
        page.press(Keys.ARROW_RIGHT);
        requireFocus(page, LargePool.name(1));
        if (!look.phone()) {
            page.press(Keys.ARROW_DOWN);
            requireFocus(page, LargePool.name(65)); // a row has 64
            page.press(Keys.ARROW_UP);
        }
        page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
        requireFocus(page, LargePool.name(0));
        List<String> used = page.all(SNO + " .map .cell:not([data-state=free])").stream()
                .map(cell -> String.valueOf(cell.getDomAttribute("data-slot")))
                .toList();
        for (String next : used.subList(1, 5)) {
            page.pressWith(Keys.SHIFT, Keys.ARROW_RIGHT);
            requireFocus(page, next);
        }
        page.pressWith(Keys.SHIFT, Keys.ARROW_UP);
        requireFocus(page, used.get(3));
        page.press(Keys.END);
        page.pressWith(Keys.SHIFT, Keys.ARROW_RIGHT);
        requireFocus(page, LargePool.name(1_023));
        assertEquals(1, page.count(SNO + " .map [tabindex='0']"));
        page.press(Keys.ESCAPE);
        assertFalse(page.shows("#tip"));
        page.press(Keys.TAB);
        assertNull(page.focused().getDomAttribute("data-slot"));
    }

    /** The focus is on a slot that one sees. */
    private static void requireFocus(ConsolePage page, String slot) {
        page.until("the focus is on " + slot, () -> slot.equals(page.focused().getDomAttribute("data-slot")));
        page.until(
                slot + " is on the screen",
                () -> page.ask(
                        Boolean.class,
                        "const box = document.activeElement.getBoundingClientRect();"
                                + " return box.top >= 0 && box.bottom <= innerHeight"));
        assertTrue(page.text("#tip").contains(slot), page.text("#tip"));
    }
}
