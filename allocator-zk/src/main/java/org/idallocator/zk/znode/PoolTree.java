package org.idallocator.zk.znode;

import java.util.List;

/**
 * Where everything of one pool lives, also of a pool whose scheme this software does not know.
 *
 * @param path the pool's own node
 */
public record PoolTree(String path) {
    private static final String LAYOUT = "layout";
    private static final String LEASES = "leases";
    private static final String RECORDS = "records";
    private static final String INDEX = "index";
    private static final String VOUCH = "vouch";

    /**
     * Whether a node that has these children is a pool's. A pool has a layout, leases or records, and may lack some of
     * them.
     */
    public static boolean isPool(List<String> children) {
        return children.contains(LAYOUT) || children.contains(LEASES) || children.contains(RECORDS);
    }

    public String layout() {
        return Tree.child(path, LAYOUT);
    }

    public String generation(String generation) {
        return Tree.child(layout(), generation);
    }

    public String leases() {
        return Tree.child(path, LEASES);
    }

    /** Of the slot of this name, in whatever layout. */
    public String lease(String slot) {
        return Tree.child(leases(), slot);
    }

    public String records() {
        return Tree.child(path, RECORDS);
    }

    /** Of the slot of this name, in whatever layout. */
    public String record(String slot) {
        return Tree.child(records(), slot);
    }

    /** Where operators promise that no backup has come back: a {@link Vouch}. */
    public String vouch() {
        return Tree.child(path, VOUCH);
    }

    public String index() {
        return Tree.child(path, INDEX);
    }
}
