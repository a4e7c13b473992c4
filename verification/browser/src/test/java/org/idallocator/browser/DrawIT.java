package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Drawing an ID in the console: each scheme, with all that the catalogue says it takes. */
@ProofOnly("minutes of a browser")
final class DrawIT extends InBrowser {
    private static final Pattern CURL = Pattern.compile("curl (?:(http[^' ?]+)|'(http[^']+)')");

    @Test
    void shouldDrawOfEachSchemeInEachForm() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        List<JsonNode> schemes = Answers.schemes(Fleet.first());
        assertEquals(5, schemes.size());
        assertEquals(
                schemes.stream().map(scheme -> scheme.path("name").asText()).toList(), options(page, "#draw-scheme"));
        for (JsonNode scheme : schemes) {
            String name = scheme.path("name").asText();
            choose(page, "#draw-scheme", name);
            List<String> forms = Answers.elements(scheme.path("forms")).stream()
                    .map(JsonNode::asText)
                    .toList();
            for (String form : forms) {
                page.awaitAny("[data-parameter=form]");
                fill(page, "form", form);
                String id = draw(page);
                JsonNode read = Answers.json(Fleet.first(), "/ids/" + name + "/" + id + "?form=" + form);
                assertEquals(name, read.path("scheme").asText(), () -> name + " " + form + " " + id + " " + read);
            }
        }
    }

    @Test
    void shouldDrawWithParameters() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.PHONE_LIGHT);
        choose(page, "#draw-scheme", "sno");
        fill(page, "metabyte", "7");
        assertEquals("7", field("sno", draw(page), "metabyte"));
        choose(page, "#draw-scheme", "muid");
        fill(page, "transaction", "true");
        String[] transaction = draw(page).split("\n");
        assertEquals(
                List.of("0", "1"),
                Stream.of(transaction).map(id -> field("muid", id, "offset")).toList());
        choose(page, "#draw-scheme", "gid");
        List<String> prefixes = new ArrayList<>();
        for (String type : List.of("volume", "log", "segment")) {
            fill(page, "type", type);
            prefixes.add(field("gid", draw(page), "prefix"));
        }
        assertEquals(3, prefixes.stream().distinct().count(), prefixes::toString);
    }

    @Test
    void shouldShowTheCurlLineThatDoesTheSame() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        choose(page, "#draw-scheme", "sno");
        draw(page);
        assertEquals(16, curl(page.text("#curl")).length());
        fill(page, "metabyte", "9");
        fill(page, "form", "hex");
        draw(page);
        String id = curl(page.text("#curl"));
        JsonNode read = Answers.json(Fleet.first(), "/ids/sno/" + id + "?form=hex");
        assertEquals("9", read.at("/fields/2/value").asText());
    }

    @Test
    void shouldCopyTheIdAndTheCurlLine() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        String id = draw(page);
        page.click("#draw-result [aria-label='Copy the ID']");
        page.until(
                "it says so",
                () -> page.text("#draw-result [aria-label='Copy the ID']").equals("Copied"));
        paste(page);
        assertEquals(id, page.value("#read-id"));
        page.awaitText("#read-result .reading h3", "sno");
        page.click("#draw-result [aria-label='Copy the curl line']");
        page.until(
                "it says so",
                () -> page.text("#draw-result [aria-label='Copy the curl line']")
                        .equals("Copied"));
        expectRefusals(); // a curl line is no ID
        paste(page);
        assertEquals(page.text("#curl"), page.value("#read-id"));
    }

    @Test
    void shouldRefuseBadParameterInTheBrowser() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        choose(page, "#draw-scheme", "sno");
        fill(page, "metabyte", "256");
        page.click("#draw-one");
        assertEquals(1, page.count("[data-parameter=metabyte]:invalid"));
        assertNotEquals("", page.one("[data-parameter=metabyte]").getDomProperty("validationMessage"));
        assertEquals(List.of(), page.all("#drawn"));
        assertFalse(page.browser().asked().stream()
                .anyMatch(asked -> asked.getPath().startsWith("/ids/")));
    }

    @Test
    void shouldAskForTheCatalogueUntilItComes() {
        String refuseOnce = """
                {
                  const ask = window.fetch;
                  window.asked = 0;
                  window.fetch = (path, ...more) => path === 'ids' && window.asked++ === 0
                    ? Promise.reject(new TypeError('away'))
                    : ask(path, ...more);
                }""";
        ConsolePage page = openAfter(refuseOnce, Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.awaitAny("#draw-one");
        assertEquals(2L, page.ask(Long.class, "return window.asked"));
        assertEquals("", page.text("#draw-result"));
    }

    /** Draws one more, and waits for it. */
    private static String draw(ConsolePage page) {
        String before = page.all("#drawn").isEmpty() ? "" : page.text("#drawn");
        page.click("#draw-one");
        page.until(
                "an ID was drawn",
                () -> !page.all("#drawn").isEmpty() && !page.text("#drawn").equals(before));
        return page.text("#drawn");
    }

    private static void fill(ConsolePage page, String parameter, String value) {
        String field = "[data-parameter=" + parameter + "]";
        if (page.one(field).getTagName().equals("select")) {
            choose(page, field, value);
        } else {
            page.one(field).clear();
            page.one(field).sendKeys(value);
        }
    }

    /** Chooses as people do: by the text of the option. */
    private static void choose(ConsolePage page, String select, String text) {
        page.awaitAny(select);
        WebElement option = page.all(select + " option").stream()
                .filter(each -> each.getText().equals(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError(select + " has no " + text + ": " + options(page, select)));
        option.click();
    }

    private static List<String> options(ConsolePage page, String select) {
        return page.all(select + " option").stream().map(WebElement::getText).toList();
    }

    private static String field(String scheme, String id, String name) {
        JsonNode read = Answers.json(Fleet.first(), "/ids/" + scheme + "/" + id);
        return Answers.elements(read.path("fields")).stream()
                .filter(field -> field.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + read))
                .path("value")
                .asText();
    }

    /** What the shell would get. */
    private static String curl(String line) {
        Matcher matcher = CURL.matcher(line);
        assertTrue(matcher.matches(), line);
        String address = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return Answers.text("GET", URI.create(address));
    }

    private static void paste(ConsolePage page) {
        page.one("#read-id").clear();
        page.click("#read-id");
        page.pressWith(Keys.CONTROL, "v");
        page.until("it was pasted", () -> !page.value("#read-id").isEmpty());
    }
}
