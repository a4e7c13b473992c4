package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Reading an ID in the console: any form of each scheme, and what is none. */
@ProofOnly("minutes of a browser")
final class ReadIT extends InBrowser {
    @Test
    void shouldReadEachFormOfEachScheme() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        for (JsonNode scheme : Answers.schemes(Fleet.first())) {
            String name = scheme.path("name").asText();
            JsonNode told =
                    Answers.json(Fleet.first(), "/ids/" + name + "/" + Answers.text(Fleet.first(), "/ids/" + name));
            Map<String, String> forms = new LinkedHashMap<>();
            forms.put("canonical", told.path("id").asText());
            told.path("forms")
                    .properties()
                    .forEach(form -> forms.put(form.getKey(), form.getValue().asText()));
            forms.forEach((form, text) -> {
                WebElement reading = read(page, text, name);
                requireBits(reading, told);
                assertEquals(told.path("id").asText(), fact(reading, "canonical"), form);
                told.path("forms")
                        .properties()
                        .forEach(other -> assertEquals(other.getValue().asText(), fact(reading, other.getKey()), form));
                assertTrue(
                        fact(reading, "time")
                                .startsWith(told.path("time").asText().substring(0, 10)),
                        form);
            });
        }
    }

    @Test
    void shouldShowEveryWayToReadATextThePlausibleFirst() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.PHONE_DARK);
        type(page, "1234567890");
        page.awaitText("#read-said", "ways, the most plausible first");
        List<String> ways = page.all("#read-result .reading").stream()
                .map(way -> way.getDomAttribute("data-scheme") + " " + way.getDomAttribute("data-form"))
                .toList();
        assertEquals(
                Answers.elements(Answers.json(Fleet.first(), "/console/read?id=1234567890")
                                .path("candidates"))
                        .stream()
                        .map(way -> way.path("scheme").asText() + " "
                                + way.path("form").asText())
                        .toList(),
                ways);
        assertTrue(ways.containsAll(List.of("uid60 canonical", "uid60 decimal", "eightbyte decimal")), ways::toString);
    }

    @Test
    void shouldSayWhatIsWrongWithATextThatIsNoId() {
        expectRefusals();
        ConsolePage page = open(Fleet.first().uri("/"), Look.PHONE_LIGHT);
        String good = Answers.text(Fleet.first(), "/ids/sno");
        read(page, good, "sno");
        type(page, "no ID, surely!");
        page.awaitText("#read-said", "no ID, surely!");
        assertTrue(page.attribute("#read-said", "class").contains("problem"));
        assertEquals(List.of(), page.all("#read-result .reading"));
        type(page, "<img src=x onerror=alert(1)>");
        page.awaitText("#read-said", "<img");
        read(page, good, "sno");
        assertEquals("soft", page.attribute("#read-said", "class").strip());
    }

    @Test
    void shouldFollowTheAddressWhenItChanges() {
        String id = Answers.text(Fleet.first(), "/ids/uid60");
        ConsolePage page = open(Fleet.first().uri("/"), Look.PHONE_LIGHT);
        page.run("location.hash = 'read=' + arguments[0]", id);
        page.awaitText("#read-result .reading h3", "uid60");
        assertEquals(id, fact(page.one("#read-result .reading"), "canonical"));
        page.until(
                "it goes there",
                () -> page.ask(
                        Boolean.class,
                        "return document.getElementById('read')" + ".getBoundingClientRect().top < innerHeight"));
    }

    @Test
    void shouldTakeAnAddressThatIsNoAddressForAText() {
        expectRefusals();
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.browser().driver().get("about:blank");
        page.browser().driver().get(Fleet.first().uri("/") + "#read=%");
        page.awaitText("#read-said", "%");
        page.awaitAny("#draw-one");
        assertFalse(page.shows("#cutoff"));
    }

    private static WebElement read(ConsolePage page, String text, String scheme) {
        type(page, text);
        String reading = "#read-result .reading[data-scheme=" + scheme + "]";
        page.until(
                text + " was read as " + scheme,
                () -> !page.all(reading).isEmpty() && page.all(reading).stream().anyMatch(way -> says(way, text)));
        return page.all(reading).stream()
                .filter(way -> says(way, text))
                .findFirst()
                .orElseThrow();
    }

    private static boolean says(WebElement reading, String text) {
        return reading.findElements(By.cssSelector("dd .mono")).stream()
                .anyMatch(mono -> mono.getText().equals(text));
    }

    private static void type(ConsolePage page, String text) {
        WebElement input = page.one("#read-id");
        input.clear();
        input.sendKeys(text, Keys.ENTER);
    }

    private static String fact(WebElement reading, String name) {
        WebElement fact = reading.findElement(By.cssSelector("[data-fact='" + name + "']"));
        List<WebElement> mono = fact.findElements(By.cssSelector(".mono"));
        return (mono.isEmpty() ? fact : mono.get(0)).getText();
    }

    /** The segments are the ID's bits, from the first to the last, and its fields are where the replica says. */
    private static void requireBits(WebElement reading, JsonNode told) {
        StringBuilder digits = new StringBuilder();
        Map<String, String> fields = new LinkedHashMap<>();
        for (WebElement segment : reading.findElements(By.cssSelector(".bits li"))) {
            digits.append(
                    segment.findElement(By.cssSelector(".digits")).getText().replaceAll("\\s", ""));
            String name = segment.getDomAttribute("data-name");
            if (name != null) {
                fields.put(
                        name + " " + segment.getDomAttribute("data-bits"),
                        segment.findElement(By.cssSelector(".value")).getText());
            }
        }
        assertEquals(new BigInteger(told.path("hex").asText(), 16), new BigInteger(digits.toString(), 2));
        Map<String, String> expected = new LinkedHashMap<>();
        Answers.elements(told.path("fields"))
                .forEach(field -> expected.put(
                        field.path("name").asText() + " " + field.path("bits").path(0) + "-"
                                + field.path("bits").path(1),
                        field.path("value").asText()));
        assertEquals(expected, fields);
    }
}
