package org.idallocator.zk.settings;

import java.util.regex.Pattern;

/** A name that a node may have: of a replica in {@code /members}, of an incarnation, and of a generation. */
public final class NodeName {
    private static final Pattern ALLOWED = Pattern.compile("(?!\\.\\.?$)[A-Za-z0-9._-]{1,100}");

    private NodeName() {}

    /**
     * Whether a text is 1 to 100 of {@code [A-Za-z0-9._-]}, but not {@code .} or {@code ..}, which are none in
     * ZooKeeper.
     */
    public static boolean isAllowed(String text) {
        return ALLOWED.matcher(text).matches();
    }
}
