package org.idallocator.browser;

import static org.idallocator.browser.ConsolePage.scheme;

import java.nio.file.Path;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;

/**
 * The pictures that the documents show. They are made anew in {@code docs} with {@code -Dscreenshots=docs}, which the
 * profile {@code screenshots} sets, and beside the other pictures in every proof.
 */
@ProofOnly("minutes of a browser")
final class DocumentPicturesIT extends InBrowser {
    private static final Path TO = "docs".equals(System.getProperty("screenshots"))
            ? Path.of("..", "..", "docs")
            : Path.of("target", "screenshots", "docs");
    private static final int WIDE_HEIGHT = 1000;

    @Test
    void shouldShowAReplicaThatServes() {
        ConsolePage page = open(Fleet.second().uri("/"), Look.WIDE_LIGHT);
        String total = scheme("uid60") + " [data-rate]";
        page.until("IDs are drawn", () -> {
            Answers.text(Fleet.second(), "/ids/uid60?count=300");
            Answers.text(Fleet.second(), "/ids/muid?count=2000");
            return page.all("#scheme-list [data-rate]").stream()
                                    .filter(rate -> !rate.getText().equals("0"))
                                    .count()
                            >= 2
                    && !page.text(total).equals("0");
        });
        Pictures.write(TO.resolve("console.png"), page.browser().picture(0, Look.WIDE_LIGHT.width(), WIDE_HEIGHT));
    }

    @Test
    void shouldShowWhatAnIdSaysOnAPhoneInTheDark() {
        ConsolePage page =
                open(Fleet.first().uri("/#read=" + Answers.text(Fleet.first(), "/ids/sno")), Look.PHONE_DARK);
        page.awaitText("#read-result .reading h3", "sno");
        int y = page.one("#read").getRect().getY();
        Pictures.write(
                TO.resolve("console-phone.png"),
                page.browser().picture(y, Look.PHONE_DARK.width(), Look.PHONE_DARK.height()));
    }
}
