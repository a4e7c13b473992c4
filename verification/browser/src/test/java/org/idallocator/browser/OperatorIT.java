package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What operators do in the console of the admin port, and that nobody does it elsewhere. */
@ProofOnly("minutes of a browser")
final class OperatorIT extends InBrowser {
    private static final String UID60 = scheme("uid60");

    @Test
    void shouldDoNothingWhenSomebodyCancels() {
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.WIDE_LIGHT);
        List<String> buttons =
                List.of("#drain", "#resume", UID60 + " [data-action=rotate]", UID60 + " .map [data-state=here]");
        for (String button : buttons) {
            page.click(button);
            page.awaitShown("#ask");
            assertEquals(page.one("#ask-no"), page.focused(), button);
            page.press(Keys.ESCAPE);
            page.awaitHidden("#ask");
            page.click(button);
            page.awaitShown("#ask");
            page.press(Keys.ENTER);
            page.awaitHidden("#ask");
        }
        assertEquals(List.of(), changes(page));
        assertEquals("active", page.attribute(UID60, "data-state"));
    }

    /** What comes of an order is told under the question that gave it, even to somebody who insists on leaving. */
    @Test
    void shouldStayOpenUntilTheReplicaAnswers() {
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.WIDE_LIGHT);
        page.run("""
                const ask = window.fetch;
                window.fetch = (path, ...more) => path !== 'tasks/drain'
                  ? ask(path, ...more)
                  : new Promise(resolve => { window.answer = () => resolve(Response.json({givenBack: true, slots: []})); })""");
        order(page, "#drain", "Asking…");
        assertFalse(page.one("#ask-no").isEnabled());
        for (int i = 0; i < 3; i++) {
            page.press(Keys.ESCAPE);
            page.awaitShown("#ask");
        }
        page.run("window.answer()");
        page.awaitText("#ask-outcome", "drained: no slot was held");
        assertEquals("Drain this replica?", page.text("#ask-title"));
        assertEquals("Close", page.focused().getText());
        page.press(Keys.ESCAPE);
        page.awaitHidden("#ask");
        page.click("#resume");
        page.awaitShown("#ask");
        assertEquals("", page.text("#ask-outcome"));
        assertEquals(List.of(), changes(page));
    }

    @Test
    void shouldDrainAndResume() {
        expectRefusals();
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.PHONE_LIGHT);
        page.click("#drain");
        page.awaitText("#ask-consequence", "stops handing out IDs of any scheme");
        page.click("#ask-yes");
        page.awaitText("#ask-outcome", "drained: gave back");
        page.click("#ask-no");
        page.awaitState("uid60", "fenced");
        page.awaitText(UID60 + " .why", "drained: this replica was drained");
        assertEquals(List.of(), page.all(UID60 + " .why [href]")); // the guide is on the application port
        page.awaitState("gid", "fenced");
        order(
                page,
                UID60 + " [data-action=rotate]",
                "Failed: this replica was drained by its operator; ask another, or resume this one. Slots that were not changed");
        page.click("#ask-no");
        order(page, "#resume", "resumed");
        page.click("#ask-no");
        page.awaitState("uid60", "active");
        assertEquals(3, changes(page).size(), changes(page)::toString);
    }

    /** Who has given the token once is not asked for it again. */
    @Test
    void shouldAskForTheTokenOnce() {
        expectRefusals();
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.PHONE_LIGHT);
        page.run("sessionStorage.clear()");
        order(page, "#resume", "this needs the admin port's token");
        assertEquals(page.one("#ask-token"), page.focused());
        for (String wrong : List.of("no token of this port", "t\u00f6ken")) {
            page.one("#ask-token").sendKeys(wrong, Keys.ENTER);
            page.until("it asks again", () -> "".equals(page.value("#ask-token")));
            page.awaitText("#ask-outcome", "this needs the admin port's token");
        }
        assertEquals(List.of(), page.browser().hindrances());
        page.one("#ask-token").sendKeys(ReplicaProcess.ADMIN_TOKEN, Keys.ENTER);
        page.awaitText("#ask-outcome", "not drained: nothing has changed");
        assertFalse(page.shows("#ask-token"));
        page.click("#ask-no");
        order(page, "#resume", "not drained: nothing has changed");
    }

    @Test
    void shouldRotateSlots() {
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.WIDE_LIGHT);
        page.awaitState("uid60", "active");
        page.awaitAny(UID60 + " .held li");
        String before = page.attribute(UID60 + " .held li", "data-slot");
        page.click(UID60 + " [data-action=rotate]");
        page.awaitText("#ask-title", "uid60");
        page.click("#ask-yes");
        page.awaitText("#ask-outcome", "rotated: uid60 " + before + " -> ");
        page.click("#ask-no");
        page.until("another slot is shown", () -> !before.equals(page.attribute(UID60 + " .held li", "data-slot")));
    }

    @Test
    void shouldTakeASlotAwayFromAnotherReplica() {
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.WIDE_LIGHT);
        String others = UID60 + " .map [data-state=held]";
        page.until("the other one's are on the map", () -> page.count(others) == Fleet.HELD_BY_FIRST);
        String slot = page.attribute(others, "data-slot");
        String cell = ConsolePage.cell("uid60", slot);
        String before = page.attribute(cell, "aria-label");
        assertTrue(before.startsWith("slot " + slot + ", held by ids-1 on "), before);
        page.click(cell);
        page.awaitText("#ask-title", "Release slot " + slot + " of uid60?");
        assertEquals(
                "Replica ids-1 loses the slot. Where it holds no other one, it hands out no uid60 until it has another."
                        + " What it reserved stays reserved: no ID comes twice.",
                page.text("#ask-consequence"));
        page.click("#ask-yes");
        page.awaitText("#ask-outcome", "Slot " + slot + " of uid60 was taken away from ids-1.");
        assertFalse(page.shows("#ask-yes"));
        assertEquals("Close", page.focused().getText());
        page.press(Keys.ENTER);
        page.until("the map shows it", () -> !before.equals(page.attribute(cell, "aria-label")));
        page.until("the other one has as many again", () -> page.count(others) == Fleet.HELD_BY_FIRST);
        assertEquals(List.of("/leases/uid60/" + slot), changes(page));
    }

    /** Somebody else was faster: the tenure that the question names has ended. */
    @Test
    void shouldSayThatTheTenureHasEndedMeanwhile() {
        expectRefusals();
        ConsolePage page = open(Fleet.second().adminUri("/"), Look.PHONE_DARK);
        page.one("#read-id").sendKeys("half an ID");
        String slot = heldHere(page);
        page.click(UID60 + " .map [data-state=here]");
        page.awaitText("#ask-title", "Release slot " + slot + " of uid60?");
        page.awaitText("#ask-consequence", "This replica loses the slot. Where it holds no other one");
        for (int i = 0; i < 2; i++) { // when the second one is done, the slot of the first was released
            Answers.text("POST", Fleet.second().adminUri("/tasks/rotate?scheme=uid60"));
        }
        page.click("#ask-yes");
        page.awaitText("#ask-outcome", "Refused: tenure ");
        assertTrue(
                page.text("#ask-outcome")
                        .endsWith(" had left the slot already. Nothing was changed. The map shows who holds the slot"
                                + " now; press it again to ask for that one."),
                page.text("#ask-outcome"));
        assertFalse(page.shows("#ask-yes"));
        assertEquals("Close", page.focused().getText());
        Pictures.requireFit(page, Look.PHONE_DARK, "refused");
        page.press(Keys.ENTER);
        page.until("its other slot is on the map", () -> !slot.equals(heldHere(page)));
        assertEquals("active", page.attribute(UID60, "data-state"));
        assertEquals("half an ID", page.value("#read-id"));
    }

    @Test
    void shouldSayThatThereIsNoOtherSlotAndGoOn() {
        expectRefusals();
        ConsolePage page = open(Fleet.first().adminUri("/"), Look.WIDE_DARK);
        String sno = scheme("sno");
        page.click(sno + " [data-action=rotate]");
        page.awaitText("#ask-consequence", "claims another slot of sno for each that it holds");
        page.click("#ask-yes");
        page.awaitText("#ask-outcome", "Failed: every slot of the pool is held");
        assertTrue(
                page.text("#ask-outcome")
                        .endsWith("Slots that were not changed go on as before. Rotate again once the reason is gone."),
                page.text("#ask-outcome"));
        assertEquals("Rotate", page.text("#ask-yes"));
        page.click("#ask-no");
        page.awaitHidden("#ask");
        assertEquals("active", page.attribute(sno, "data-state"));
        assertEquals(Fleet.SNO_SLOTS, page.count(sno + " .map [data-state=here]"));
        assertEquals(200, Fleet.first().status("/ids/sno"));
    }

    /**
     * The one slot of uid60 that this replica holds, once the map shows it: ZooKeeper is asked for that more seldom.
     */
    private static String heldHere(ConsolePage page) {
        List<String> held = new ArrayList<>();
        page.until("its slot is on the map", () -> {
            held.clear();
            held.addAll(slots(page, UID60 + " .held li"));
            return held.size() == 1 && held.equals(slots(page, UID60 + " .map [data-state=here]"));
        });
        return held.get(0);
    }

    private static List<String> slots(ConsolePage page, String selector) {
        return page.all(selector).stream()
                .map(slot -> String.valueOf(slot.getDomAttribute("data-slot")))
                .toList();
    }

    @Test
    void shouldLeadToTheApplicationPortAsThatIs() {
        URI admin = Fleet.second().adminUri("/");
        String secure = "state.application = { protocol: 'https', port: 8443, path: '/console' };";
        assertEquals(
                "https://" + admin.getHost() + ":8443/console",
                openTold(secure, admin, Look.WIDE_LIGHT).attribute("#draw-form a", "href"));
        ConsolePage page = openTold("state.application.port = 0;", admin, Look.WIDE_LIGHT);
        assertEquals("IDs are drawn on the application port, which is not on the network.", page.text("#draw-form"));
        assertEquals(List.of(), page.all("#draw-form a"));
        assertEquals(
                Fleet.second().uri("/").toString(), open(admin, Look.WIDE_LIGHT).attribute("#draw-form a", "href"));
    }

    @Test
    void shouldChangeNothingOnTheApplicationPort() {
        ConsolePage page = open(Fleet.second().uri("/"), Look.WIDE_LIGHT);
        assertFalse(page.shows("#actions"));
        assertEquals(List.of(), page.all("[data-action=rotate], [data-action=release]"));
        page.click(UID60 + " .map [data-state=here]");
        assertFalse(page.shows("#ask"));
        assertEquals(List.of(), changes(page));
        assertEquals(404, Fleet.second().status("/tasks/drain"));
    }

    /** Presses a button and confirms the order; waits for what comes of it. */
    private static void order(ConsolePage page, String button, String outcome) {
        page.click(button);
        page.click("#ask-yes");
        page.awaitText("#ask-outcome", outcome);
    }

    /** What the page asked for that changes something. */
    private static List<String> changes(ConsolePage page) {
        return page.browser().asked().stream()
                .map(asked -> asked.getPath())
                .filter(path -> path.startsWith("/tasks/") || path.startsWith("/leases/"))
                .toList();
    }
}
