package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.zk.testing.ReplicaProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * A test of the console in {@link Browser}. After each test the browser has complained about nothing, and has asked
 * nobody but the port that the page came from. Where there is no Chromium, the test is skipped and says so.
 */
abstract class InBrowser {
    private static final String TOLD = """
            {
              const ask = window.fetch;
              window.fetch = async (path, ...more) => {
                const answer = await ask(path, ...more);
                if (!path.startsWith('console/state')) return answer;
                const state = await answer.json();
                %s
                return new Response(JSON.stringify(state));
              };
            }""";

    private @Nullable ConsolePage page;
    private boolean refusals;

    @BeforeAll
    static void requireChromium() {
        Browser.whyNot().ifPresent(reason -> assumeTrue(false, "the console was seen in no browser: " + reason));
    }

    /** Opens the console at an address, for somebody who has given the token of the admin port before. */
    final ConsolePage open(URI address, Look look) {
        ConsolePage opened = ConsolePage.open(Browser.shared(), address, look);
        opened.browser()
                .driver()
                .executeScript("sessionStorage.setItem('admin-token', arguments[0])", ReplicaProcess.ADMIN_TOKEN);
        page = opened;
        return opened;
    }

    /** Opens the console with a script that runs before the page's own. */
    final ConsolePage openAfter(String script, URI address, Look look) {
        Browser browser = Browser.shared();
        String name = String.valueOf(browser.command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                .get("identifier"));
        try {
            return open(address, look);
        } finally {
            browser.command("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", name));
        }
    }

    /** Opens the console of a replica that tells its state as another one would: a script changes {@code state}. */
    final ConsolePage openTold(String change, URI address, Look look) {
        return openAfter(TOLD.formatted(change), address, look);
    }

    /** In this test the replica refuses something, or does not answer: that the browser notes this is right. */
    final void expectRefusals() {
        refusals = true;
    }

    /** Looks away from the page before its replica ends, about which the browser would complain. */
    final void leave() {
        requireNoComplaint();
        page = null;
        Browser.shared().driver().get("about:blank");
    }

    @AfterEach
    final void requireNoComplaint() {
        if (page != null) {
            assertEquals(List.of(), page.browser().complaints(refusals));
            assertEquals(
                    Set.of(page.address().getAuthority()),
                    page.browser().asked().stream().map(URI::getAuthority).collect(Collectors.toSet()));
        }
    }
}
