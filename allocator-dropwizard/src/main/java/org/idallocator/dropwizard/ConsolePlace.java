package org.idallocator.dropwizard;

/** Where the console is on the ports of a program. */
public enum ConsolePlace {
    /** At {@code /console}; what is at {@code /} is the program's own. */
    BELOW("/console"),

    /** At {@code /}, and at {@code /console} as well. */
    ROOT("/");

    private static final String EVERYWHERE = "/console";

    private final String path;

    ConsolePlace(String path) {
        this.path = path;
    }

    /** The path to which people are sent. */
    String path() {
        return path;
    }

    /**
     * The patterns of the console's servlet in a context.
     *
     * @param base the path below which the context has the routes: empty, or a path such as {@code /api}
     */
    String[] patterns(String base) {
        String below = base + EVERYWHERE + "/*";
        return switch (this) {
            case BELOW -> new String[] {below};
            case ROOT -> new String[] {below, base.isEmpty() ? "" : base + "/"};
        };
    }
}
