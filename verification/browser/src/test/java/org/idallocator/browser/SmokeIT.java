package org.idallocator.browser;

import org.junit.jupiter.api.Test;

/** The console in every build: it opens, draws an ID and reads it, on a real replica. */
final class SmokeIT extends InBrowser {
    @Test
    void shouldDrawAnIdAndReadIt() {
        ConsolePage page = open(Fleet.first().uri("/"), Look.WIDE_LIGHT);
        page.awaitText("#health", "All 5 schemes serve");
        page.click("#draw-one");
        page.awaitText("#drawn", "");
        page.click("[data-action=read]");
        page.awaitText(".reading h3", "sno");
    }
}
