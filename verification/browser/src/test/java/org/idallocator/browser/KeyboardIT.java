package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The console without a pointer: the tab key leads everywhere, in the page's order, and one sees where it has led. */
@ProofOnly("minutes of a browser")
final class KeyboardIT extends InBrowser {
    private static final String REACHABLE = """
            return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
              .filter(element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility())
              .map(element => element.outerHTML.split('>')[0].replace(/ (data-shown|aria-label|aria-describedby)="[^"]*"/g, ''))""";
    private static final String FOCUSED = """
            const element = document.activeElement;
            const style = getComputedStyle(element);
            return [element.outerHTML.split('>')[0].replace(/ (data-shown|aria-label|aria-describedby)="[^"]*"/g, ''),
              style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 ? 'seen' : 'unseen']""";

    /**
     * What the page's lists do when another list comes: what is shown then, where the focus is, and what was made anew.
     */
    private static final String FOLLOWED = """
            const told = arguments[arguments.length - 1];
            const [first, then] = arguments;
            import('/console/dom.js').then(({ reconcile, make }) => {
              const list = document.body.appendChild(make('div'));
              const show = items => reconcile(list, items, item => item, item => make('button', {}, item), () => {});
              show(first.split(' '));
              const before = [...list.children];
              list.lastElementChild.focus();
              show(then.split(' '));
              const focus = list.contains(document.activeElement) ? document.activeElement.textContent : 'none';
              told([[...list.children].map(child => child.textContent).join(' '), focus,
                String([...list.children].filter(child => !before.includes(child)).length)]);
              list.remove();
            })""";

    /** Rows come and go while somebody is on another one. */
    @ParameterizedTest
    @CsvSource({
        "a b c, b c, b c, c, 0",
        "a b c, b x c, b x c, c, 1",
        "b c, a b c, a b c, c, 1",
        "a a c, a c, a c, c, 0",
        "a c, c b, c b, c, 1",
        "a b c, a b, a b, none, 0"
    })
    void shouldLeaveTheFocusWhereItIsWhenRowsGo(String first, String then, String shown, String focus, String made) {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        assertEquals(List.of(shown, focus, made), page.browser().driver().executeAsyncScript(FOLLOWED, first, then));
    }

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
}
