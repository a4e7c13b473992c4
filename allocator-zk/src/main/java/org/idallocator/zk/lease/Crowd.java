package org.idallocator.zk.lease;

/**
 * How crowded a pool is, and so how many of its slots a replica may hold above its min.
 *
 * <p><b>Nobody starves.</b> Where every member holds at most its share, the slots divided by the members, a share is free for each
 * of them. So a member lacks a slot only while others hold more than their share; and while fewer slots are free than are lacking,
 * or none is to spare, these give theirs back, one in each window. That also evens out what busy replicas hold.
 *
 * @param slots those that anybody can hold: the pool's without those that are retired
 * @param held how many have a lease
 * @param members how many replicas there are, this one among them
 * @param lacking how many slots members may need that do not hold their min
 */
record Crowd(long slots, long held, int members, long lacking) {

    private long free() {
        return slots - held;
    }

    /** How many free slots nobody lacks. */
    private long spare() {
        return free() - lacking;
    }

    /** The slots divided by the members. */
    private long share() {
        return slots / Math.max(1, members);
    }

    /**
     * Whether a replica that holds {@code mine} slots, its min or more, may take another: one of its share; or one beyond, where
     * then one is still to spare for whoever comes next.
     *
     * @param modest whether only a slot of its share is in question
     */
    boolean allows(int mine, boolean modest) {
        boolean ofShare = mine < share();
        return free() > 0 && (ofShare || (spare() > 1 && !modest));
    }

    /** Whether a replica that holds {@code mine} slots is to give one back: more than its share, where none is to spare. */
    boolean exceededBy(int mine, int min) {
        return mine > Math.max(min, share()) && spare() < 1;
    }
}
