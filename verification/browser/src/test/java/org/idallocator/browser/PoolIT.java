package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;

/**
 * The pools in the console: one that is too large for a map, and a map under a finger. {@link LargePoolIT} has the
 * rest.
 */
@ProofOnly("minutes of a browser")
final class PoolIT extends InBrowser {
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

    /** The tip says it, and so does the name that a screen reader tells. */
    private static void requireTip(ConsolePage page, WebElement cell, String part) {
        page.until(
                "the tip says " + part,
                () -> page.shows("#tip") && page.text("#tip").contains(part));
        assertTrue(String.valueOf(cell.getDomAttribute("aria-label")).contains(part));
    }
}
