package org.idallocator.dropwizard.decode;

import java.util.regex.Pattern;

/** Makes a text of unknown origin fit to be shown. */
public final class Quoted {
    private static final int LONGEST = 64;
    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

    /** What would steer a terminal, or begin another line. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private Quoted() {}

    /** For one line of a terminal: with code points in place of what is not printable ASCII; a long text is cut. */
    public static String of(String text) {
        boolean cut = text.codePointCount(0, text.length()) > LONGEST;
        return coded(UNPRINTABLE, cut ? text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "..." : text);
    }

    /** The whole text, with code points in place of what cannot be seen. */
    public static String visible(String text) {
        return coded(INVISIBLE, text);
    }

    private static String coded(Pattern pattern, String text) {
        return pattern.matcher(text)
                .replaceAll(each -> "<U+%04X>".formatted(each.group().codePointAt(0)));
    }
}
