package org.idallocator.dropwizard.console;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each colour that some text of the console has can be read on both grounds, by day and by night, as WCAG 2 counts (AA,
 * 4.5).
 */
final class ColoursTest {
    private static final double LEAST_CONTRAST = 4.5;

    private static String styles() throws IOException {
        return Resources.toString(Resources.getResource(Console.class, "console.css"), StandardCharsets.UTF_8);
    }

    /** The value that a name has first: by day; that it has after the media query: by night. */
    private static String colour(String styles, String name) {
        Matcher found = Pattern.compile("--" + name + ": (#[0-9a-f]{6});").matcher(styles);
        assertTrue(found.find(), name);
        return found.group(1);
    }

    private static double luminance(String colour) {
        return 0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5);
    }

    private static double channel(String colour, int from) {
        double value = Integer.parseInt(colour.substring(from, from + 2), 16) / 255.0;
        return value <= 0.03928 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    private static double contrast(String one, String other) {
        double brighter = Math.max(luminance(one), luminance(other));
        double darker = Math.min(luminance(one), luminance(other));
        return (brighter + 0.05) / (darker + 0.05);
    }

    @ParameterizedTest
    @CsvSource({"ink", "soft", "here", "wait", "bad", "good"})
    void shouldBeReadableOnEachGround(String name) throws IOException {
        String[] dayAndNight = styles().split("@media \\(prefers-color-scheme: dark\\)", 2);
        for (String styles : dayAndNight) {
            for (String ground : new String[] {"paper", "card"}) {
                double contrast = contrast(colour(styles, name), colour(styles, ground));
                assertTrue(contrast >= LEAST_CONTRAST, () -> name + " on " + ground + ": " + contrast);
            }
        }
    }
}
