package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Pictures of the console in all states, kept in {@code target/screenshots}. */
final class Pictures {
    private static final Path KEPT = Path.of("target", "screenshots");
    private static final int LARGEST_BYTES = 300 * 1024;

    private Pictures() {}

    /** Requires that the page can be used by everybody and fits into the width, and keeps a picture of it. */
    static void requireFit(ConsolePage page, Look look, String state) {
        Browser browser = page.browser();
        keep(KEPT.resolve(state + "-" + look.text() + ".png"), browser.picture(look));
        assertEquals(List.of(), browser.hindrances(), () -> state + " " + look);
        assertEquals(
                0,
                browser.ask(
                        Long.class,
                        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"),
                () -> "pixels to scroll to the side: " + state + " " + look);
    }

    /** Writes a picture for a document, where small files matter. */
    static void write(Path file, byte[] png) {
        assertTrue(png.length <= LARGEST_BYTES, () -> file + " has " + png.length + " bytes");
        keep(file, png);
    }

    private static void keep(Path file, byte[] png) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, png);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
