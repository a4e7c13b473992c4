package org.idallocator.dropwizard.decode;

import java.util.regex.Pattern;

/** Makes a text of unknown origin safe to show. */
public final class Quoted {
    private static final int LONGEST = 64;
    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

    /** Characters that would steer a terminal or begin another line. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private Quoted() {}

    /**
     * The text for one line of a terminal: everything but printable ASCII is shown as code points, and a text of more
     * than 64 characters is cut.
     */
    public static String of(String text) {
        boolean cut = text.codePointCount(0, text.length()) > LONGEST;
        return coded(UNPRINTABLE, cut ? text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "..." : text);
    }

    /** The whole text, with characters that cannot be seen shown as code points. */
    public static String visible(String text) {
        return coded(INVISIBLE, text);
    }

    private static String coded(Pattern pattern, String text) {
        return pattern.matcher(text)
                .replaceAll(each -> "<U+%04X>".formatted(each.group().codePointAt(0)));
    }
}
