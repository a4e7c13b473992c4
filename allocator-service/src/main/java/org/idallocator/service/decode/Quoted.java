package org.idallocator.service.decode;

/** Makes a text of unknown origin fit for one line of a terminal. */
public final class Quoted {
    private static final int LONGEST = 64;

    private Quoted() {}

    /** The text with its code points in place of what is not printable ASCII; a long text is cut. */
    public static String of(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(each -> append(shown, each));
        return text.codePointCount(0, text.length()) > LONGEST ? shown + "..." : shown.toString();
    }

    private static void append(StringBuilder shown, int codePoint) {
        if (codePoint >= ' ' && codePoint <= '~') {
            shown.appendCodePoint(codePoint);
        } else {
            shown.append("<U+%04X>".formatted(codePoint));
        }
    }
}
