package org.idallocator.core.fence;

import java.util.Locale;

/**
 * Why a generator issues nothing. {@link #sentence} names the way out of each state but {@link #RELEASED} and
 * {@link #CLOSED}: those say that somebody has ended what issued, in order.
 */
public enum FenceReason {
    /** No tenure has served yet, and nothing says that anything is wrong. */
    STARTING("no slot has been claimed yet; claiming goes on by itself"),
    /** ZooKeeper cannot be reached. In the first moments of a replica, the reason is {@link #STARTING} instead. */
    UNREACHABLE(
            "ZooKeeper cannot be reached; bring it back, or correct where it is looked for; connecting goes on by itself"),
    /** No TLS connection to ZooKeeper can be made. */
    TLS_REFUSED(
            "no TLS connection to ZooKeeper can be made; correct what is named here, and connecting goes on by itself"),
    /** The connect string's chroot does not exist. */
    NO_CHROOT("the chroot of the connect string does not exist in ZooKeeper; create it"),
    /** A node in ZooKeeper does not hold what it should. */
    MALFORMED_NODE("a node in ZooKeeper does not hold what it should; correct it, or remove a lease or member node"),
    /** A node was written by a later version of this software, and only such a version can understand it. */
    NEWER_VERSION("only a later version of this software understands a node in ZooKeeper; run that version here, too"),
    /** ZooKeeper refuses this client. */
    NO_PERMISSION("ZooKeeper refuses access below the root; correct its ACL or the credentials"),
    /**
     * The pool's layout in ZooKeeper, or one of the terms on which its replicas reserve, differs from the
     * configuration.
     */
    LAYOUT_MISMATCH(
            "the layout in ZooKeeper differs from the configuration; correct the configuration, or run leases relayout"),
    /** Every slot of the pool is held. */
    NO_FREE_SLOT("every slot of the pool is held; a slot is claimed as soon as one is released"),
    /** The clock is below the first tick that may be issued: earlier ticks were, or may have been, reserved before. */
    COOLING(
            "the clock has not reached the first tick above all that was, or may have been, reserved before; it serves when it has"),
    /** The wall clock is too far from ZooKeeper's. */
    CLOCK_SKEW("the clock is too far from ZooKeeper's; correct the clock"),
    /** No renewal was confirmed in time: what was reserved is over. */
    DEADLINE_PASSED("no renewal was confirmed in time; another slot is claimed when ZooKeeper answers"),
    /** The clock is past the last reserved tick. */
    CEILING_PASSED("the clock is past the last tick reserved; another slot is claimed"),
    /**
     * The clock was ahead when the last ID was issued, and has been put back since, by more than callers wait, or than
     * allowed.
     */
    CLOCK_BEHIND(
            "the clock was put back, behind the last ID issued; it serves when the clock is past that, or on another slot"),
    /** The ZooKeeper session was given up, as nobody knew how far the replica had come. */
    SESSION_LOST("the ZooKeeper session was given up after an error; another slot is claimed on a new session"),
    /** The slot's record was changed, or deleted, by somebody else. */
    RECORD_TAKEN("the slot's record was changed, or deleted, by somebody else; another slot is claimed"),
    /** The lease node was deleted. */
    LEASE_GONE("the lease node was deleted; another slot is claimed"),
    /** The lease node belongs to somebody else. */
    LEASE_REPLACED("the lease node belongs to another tenure; another slot is claimed"),
    /** The root's meta node is missing. */
    META_GONE("the meta node is missing, so ZooKeeper may have lost its data; run fence-restore"),
    /** The root's meta node names another incarnation. */
    META_CHANGED("the meta node changed; another slot is claimed above its floor"),
    /** An operator began another generation of the pool. */
    LAYOUT_CHANGED("the pool's layout was changed; another slot is claimed above its floor"),
    /** A record in ZooKeeper is older than one that was written. */
    ROLLED_BACK("ZooKeeper has lost what it acknowledged, as after a restore from a backup; run fence-restore"),
    /** The tenure has lasted as long as it may. */
    TENURE_ENDED("the tenure reached its longest duration; another slot is claimed"),
    /** The replica has released the slot, or closed its generator. */
    RELEASED("the slot was released"),
    /** An operator has drained the replica. */
    DRAINED("this replica was drained by its operator; ask another, or resume this one"),
    /** A checkpoint of the process is being made, from which several processes may go on. */
    CHECKPOINT("a checkpoint of this process is being made; slots are claimed again where it goes on"),
    /** The program has closed its allocator. This is the last state: nothing is issued ever after. */
    CLOSED("this allocator is closed");

    private final String sentence;

    FenceReason(String sentence) {
        this.sentence = sentence;
    }

    /** The reason as it stands in HTTP, metrics and logs: {@code deadline-passed}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What happened and the way out, without a full stop. */
    public String sentence() {
        return sentence;
    }
}
