package org.idallocator.service.cli.terminal;

/** Texts of unknown origin, made fit for one line of a terminal. */
public final class Quoted {
    private static final int LONGEST = 64;

    private Quoted() {}

    /** What cannot be seen is shown as its code point; what is long is cut. */
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
