package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;

/** The pools in the console: a full one of 16 slots, one of 512, and one that is too large for a map. */
@ProofOnly("minutes of a browser")
final class PoolIT extends InBrowser {
    @ParameterizedTest
    @EnumSource
    void shouldShowEachSlotOfAFullPool(Look look) {
        ConsolePage page = open(Fleet.second().uri("/"), look);
        assertEquals(Fleet.SNO_SLOTS, page.count(scheme("sno") + " .map .cell"));
        assertEquals(Fleet.SNO_SLOTS, page.count(scheme("sno") + " .map .cell[data-state=held]"));
        assertEquals("0", page.attribute(scheme("sno") + " .legend [data-state=free]", "data-count"));
    }

    @Test
    void shouldListThePoolThatIsTooLargeForAMap() {
        ConsolePage page = open(Fleet.second().uri("/"), Look.WIDE_LIGHT);
        assertFalse(page.shows(scheme("muid") + " .map"));
        List<WebElement> rows = page.all(scheme("muid") + " .slots li");
        assertTrue(rows.size() >= 2, () -> rows.size() + " rows"); // also those that cool after another test
        assertEquals(1, page.count(scheme("muid") + " .slots li[data-state=here]"));
        page.awaitText(scheme("muid") + " .slots", "held by ids-1");
        assertEquals("281 trillion", page.text(scheme("muid") + " .legend [data-state=free] b"));
    }

    @Test
    void shouldSayWhoHoldsASlotOnHover() {
        ConsolePage page = open(Fleet.second().uri("/"), Look.WIDE_LIGHT);
        WebElement cell = page.all(scheme("sno") + " .map .cell").get(3);
        page.hover(cell);
        requireTip(page, cell, "held by ids-1");
        page.hover(page.one("#draw-title"));
        page.awaitHidden("#tip");
        WebElement free =
                page.all(scheme("uid60") + " .map .cell[data-state=free]").get(0);
        page.hover(free);
        requireTip(page, free, "free");
    }

    @Test
    void shouldLeadFromSlotToSlotByArrowKeys() {
        ConsolePage page = open(Fleet.second().uri("/"), Look.WIDE_LIGHT);
        String map = scheme("uid60") + " .map";
        List<WebElement> cells = page.all(map + " .cell");
        page.tabTo(map + " [tabindex='0']");
        page.press(Keys.HOME);
        requireFocus(page, cells.get(0));
        page.press(Keys.ARROW_RIGHT);
        requireFocus(page, cells.get(1));
        page.press(Keys.ARROW_DOWN);
        requireFocus(page, cells.get(65)); // a row has 64
        page.press(Keys.ARROW_LEFT, Keys.ARROW_UP);
        requireFocus(page, cells.get(0));
        page.press(Keys.ARROW_LEFT);
        requireFocus(page, cells.get(0));
        page.press(Keys.END);
        requireFocus(page, cells.get(Fleet.UID60_SLOTS - 1));
        assertEquals(1, page.count(map + " [tabindex='0']"));
        page.press(Keys.ESCAPE);
        assertFalse(page.shows("#tip"));
        page.press(Keys.TAB);
        assertFalse(cells.contains(page.focused()));
    }

    @Test
    void shouldSayWhoHoldsASlotOnTap() {
        ConsolePage page = open(Fleet.second().uri("/"), Look.PHONE_LIGHT);
        WebElement cell = page.all(scheme("sno") + " .map .cell").get(9);
        page.reveal(cell);
        tap(page, cell);
        requireTip(page, cell, "held by ids-1");
        Rectangle tip = page.one("#tip").getRect();
        assertTrue(
                tip.getX() >= 0 && tip.getX() + tip.getWidth() <= Look.PHONE_LIGHT.width(), tip.getPoint()::toString);
        assertFalse(page.shows("#ask"));
    }

    private static void tap(ConsolePage page, WebElement element) {
        List<String> middle = page.browser()
                .texts(
                        "const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]",
                        element);
        Map<String, Object> point = Map.of("x", Double.valueOf(middle.get(0)), "y", Double.valueOf(middle.get(1)));
        page.browser().command("Input.dispatchTouchEvent", Map.of("type", "touchStart", "touchPoints", List.of(point)));
        page.browser().command("Input.dispatchTouchEvent", Map.of("type", "touchEnd", "touchPoints", List.of()));
    }

    private static void requireFocus(ConsolePage page, WebElement cell) {
        assertEquals(cell, page.focused());
        requireTip(page, cell, String.valueOf(cell.getDomAttribute("data-slot")));
    }

    /** The tip says it, and so does the name that a screen reader tells. */
    private static void requireTip(ConsolePage page, WebElement cell, String part) {
        page.until(
                "the tip says " + part,
                () -> page.shows("#tip") && page.text("#tip").contains(part));
        assertTrue(String.valueOf(cell.getDomAttribute("aria-label")).contains(part));
    }
}
