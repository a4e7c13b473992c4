package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The console without a pointer: the tab key leads everywhere, in the page's order, and one sees where it has led. */
@ProofOnly("minutes of a browser")
final class KeyboardIT extends InBrowser {
    private static final String REACHABLE = """
            return [...document.querySelectorAll('a[href], button, input, select, [tabindex]')]
              .filter(element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility())
              .map(element => element.outerHTML.split('>')[0].replace(/ (data-shown|aria-label|aria-describedby)="[^"]*"/g, ''))""";
    private static final String FOCUSED = """
            const element = document.activeElement;
            const style = getComputedStyle(element);
            return [element.outerHTML.split('>')[0].replace(/ (data-shown|aria-label|aria-describedby)="[^"]*"/g, ''),
              style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 ? 'seen' : 'unseen']""";

    @Test
    void shouldLeadEverywhereInOrderAndShowWhere() {
        for (URI address : List.of(Fleet.second().uri("/"), Fleet.second().adminUri("/"))) {
            ConsolePage page = open(address, Look.WIDE_LIGHT);
            page.until(
                    "all is there",
                    () -> !page.all("#links a").isEmpty()
                            && !page.all("#draw-form *").isEmpty());
            List<String> reachable = page.browser().texts(REACHABLE);
            assertTrue(reachable.size() > 15, reachable::toString);
            for (String expected : reachable) {
                page.press(Keys.TAB);
                assertEquals(List.of(expected, "seen"), page.browser().texts(FOCUSED));
            }
            requireNoComplaint();
        }
    }

    @Test
    void shouldDrawAndReadWithoutPointer() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_DARK);
        page.until("there is a choice", () -> !page.all("#draw-scheme").isEmpty());
        page.tabTo("#draw-scheme");
        page.press("uid60");
        page.until(
                "uid60 is chosen", () -> "uid60".equals(page.one("#draw-scheme").getDomProperty("value")));
        page.tabTo("#draw-one");
        page.press(Keys.ENTER);
        page.until("an ID was drawn", () -> !page.all("#drawn").isEmpty());
        String id = page.text("#drawn");
        page.tabTo("[data-action=read]");
        page.press(Keys.ENTER);
        page.awaitText("#read-result .reading h3", "uid60");
        assertEquals(id, page.one("#read-id").getDomProperty("value"));
    }
}
