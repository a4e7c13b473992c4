package org.idallocator.zk.settings;

/** How a bad value stands in a message: in one line, not longer than a line, and without a user and password. */
public final class Shown {
    private static final int LONGEST = 120;

    private Shown() {}

    /**
     * The value without what stands before its last {@code @}, which may be a password; the scheme of a URL stays. A value that
     * is longer than 120 characters is cut, and what is no printable character becomes a question mark.
     */
    public static String of(Object value) {
        String text = withoutUser(value.toString());
        String line = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        return line.replaceAll("\\p{Cntrl}", "?");
    }

    private static String withoutUser(String text) {
        int scheme = text.indexOf("://");
        int from = scheme < 0 ? 0 : scheme + "://".length();
        int at = text.lastIndexOf('@');
        return at < from ? text : text.substring(0, from) + "***" + text.substring(at);
    }
}
