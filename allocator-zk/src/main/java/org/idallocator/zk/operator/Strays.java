package org.idallocator.zk.operator;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells nodes that somebody has put among those of slots from slots. A slot's name is a number, of this layout or of another one.
 * Whatever has another name is left out of all views, and logged once in a process. Thread-safe.
 */
final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);
    private static final Pattern NUMBER = Pattern.compile("[0-9A-Fa-f]{1,13}");
    private static final int MOST = 1_000;
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private Strays() {}

    /** Whether the child of this parent cannot be any layout's slot. */
    static boolean isStray(String parent, String name) {
        if (NUMBER.matcher(name).matches()) {
            return false;
        }
        String path = parent + "/" + name;
        if (TOLD.size() < MOST && TOLD.add(path)) {
            LOG.warn("{} is no slot, and is left out: nothing but the allocator may write there", path);
        }
        return true;
    }
}
