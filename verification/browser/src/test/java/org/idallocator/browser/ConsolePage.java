package org.idallocator.browser;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The console, opened: its parts by the names that its markup gives them. */
final class ConsolePage {
    private static final Duration OFTEN = Duration.ofMillis(50);

    private final Browser browser;
    private final URI address;

    private ConsolePage(Browser browser, URI address) {
        this.browser = browser;
        this.address = address;
    }

    /** Opens the console, and waits until it has heard of the replica and of ZooKeeper. */
    static ConsolePage open(Browser browser, URI address, Look look) {
        browser.open(address, look);
        ConsolePage page = new ConsolePage(browser, address);
        page.until(
                "the console shows pools",
                () -> !page.all("#schemes .legend li").isEmpty()
                        && !page.all("#replica-list li").isEmpty());
        return page;
    }

    Browser browser() {
        return browser;
    }

    URI address() {
        return address;
    }

    WebElement one(String selector) {
        return browser.driver().findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return browser.driver().findElements(By.cssSelector(selector));
    }

    int count(String selector) {
        return all(selector).size();
    }

    boolean shows(String selector) {
        return one(selector).isDisplayed();
    }

    /** What somebody has typed into a field. */
    String value(String selector) {
        return String.valueOf(one(selector).getDomProperty("value"));
    }

    /** How many IDs of a scheme were issued, as the page has it. */
    long issued(String scheme) {
        return Long.parseLong(attribute(scheme(scheme) + " [data-issued]", "data-issued"));
    }

    void awaitIssued(String scheme, long least) {
        until(least + " IDs are counted", () -> issued(scheme) >= least);
    }

    void requireText(String selector, String pattern) {
        assertTrue(text(selector).matches(pattern), text(selector));
    }

    void run(String script, Object... arguments) {
        browser.driver().executeScript(script, arguments);
    }

    <T> T ask(Class<T> type, String script, Object... arguments) {
        return browser.ask(type, script, arguments);
    }

    /** The texts of all elements, as they are shown. */
    List<String> texts(String selector) {
        return all(selector).stream().map(WebElement::getText).toList();
    }

    /** The text of an element as it is shown. */
    String text(String selector) {
        return one(selector).getText();
    }

    String attribute(String selector, String name) {
        return Objects.requireNonNull(one(selector).getDomAttribute(name), selector + " has no " + name);
    }

    /** Clicks on an element, once it is there. */
    void click(String selector) {
        awaitAny(selector);
        WebElement element = one(selector);
        reveal(element);
        element.click();
    }

    /** Scrolls at once to where an element is in the middle. */
    void reveal(WebElement element) {
        browser.driver().executeScript("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element);
    }

    void until(String what, Callable<Boolean> condition) {
        await(what)
                .pollInterval(OFTEN)
                .ignoreExceptionsMatching(ConsolePage::notYet)
                .until(condition);
    }

    void awaitAny(String selector) {
        until(selector + " is there", () -> !all(selector).isEmpty());
    }

    void awaitShown(String selector) {
        until(selector + " is shown", () -> shows(selector));
    }

    void awaitHidden(String selector) {
        until(selector + " is hidden", () -> !shows(selector));
    }

    /** The page is about to make an element, or to make it anew. */
    private static boolean notYet(Throwable e) {
        return e instanceof NoSuchElementException || e instanceof StaleElementReferenceException;
    }

    /** Waits until an element is shown and says what is asked for. */
    void awaitText(String selector, String part) {
        until(
                selector + " says " + part,
                () -> !all(selector).isEmpty() && text(selector).contains(part));
    }

    void awaitReady() {
        until("all serves", () -> "ready".equals(attribute("#health", "data-state")));
    }

    void awaitState(String scheme, String state) {
        until(scheme + " is " + state, () -> state.equals(attribute(scheme(scheme), "data-state")));
    }

    static String scheme(String name) {
        return "#scheme-list [data-scheme=\"" + name + "\"].scheme";
    }

    static String cell(String scheme, String slot) {
        return scheme(scheme) + " .map [data-slot=\"" + slot + "\"]";
    }

    /** The element that has the focus. */
    WebElement focused() {
        return browser.driver().switchTo().activeElement();
    }

    void press(CharSequence... keys) {
        new Actions(browser.driver()).sendKeys(keys).perform();
    }

    /** Presses a key while another one is held down. */
    void pressWith(Keys held, CharSequence key) {
        new Actions(browser.driver()).keyDown(held).sendKeys(key).keyUp(held).perform();
    }

    /** Presses the tab key until an element has the focus. */
    void tabTo(String selector) {
        WebElement target = one(selector);
        until("the tab key leads to " + selector, () -> {
            press(Keys.TAB);
            return focused().equals(target);
        });
    }

    void hover(WebElement element) {
        reveal(element);
        new Actions(browser.driver()).moveToElement(element).perform();
    }
}
