package org.idallocator.browser;

/** How somebody looks at the console: on what width, and in light or in dark. */
enum Look {
    WIDE_LIGHT(1280, false),
    WIDE_DARK(1280, true),
    PHONE_LIGHT(390, false),
    PHONE_DARK(390, true);

    private static final int NARROW = 500;

    private final int width;
    private final boolean dark;

    Look(int width, boolean dark) {
        this.width = width;
        this.dark = dark;
    }

    int width() {
        return width;
    }

    int height() {
        return phone() ? 844 : 900;
    }

    boolean dark() {
        return dark;
    }

    /** Whether there is a finger instead of a pointer. */
    boolean phone() {
        return width < NARROW;
    }

    /** As part of a file's name. */
    String text() {
        return width + (dark ? "-dark" : "-light");
    }
}
