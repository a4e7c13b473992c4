package org.idallocator.service.decode;

import java.util.regex.Pattern;

/** Makes a text of unknown origin fit for one line of a terminal. */
public final class Quoted {
    private static final int LONGEST = 64;

    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

    private Quoted() {}

    /** The text with its code points in place of what is not printable ASCII; a long text is cut. */
    public static String of(String text) {
        boolean cut = text.codePointCount(0, text.length()) > LONGEST;
        String start = cut ? text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "..." : text;
        return UNPRINTABLE
                .matcher(start)
                .replaceAll(each -> "<U+%04X>".formatted(each.group().codePointAt(0)));
    }
}
