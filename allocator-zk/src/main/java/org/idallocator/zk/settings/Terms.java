package org.idallocator.zk.settings;

import java.time.Duration;

/**
 * By what a replica reserves: what bounds how far ahead of ZooKeeper's time a ceiling can be when it is written. All replicas
 * of a pool have the same, or serve nothing from it.
 *
 * @param window how far ahead of its clock a replica reserves
 * @param sessionTimeout as asked for
 * @param maxClockSkew how far the clock may be from the leader's
 */
public record Terms(Duration window, Duration sessionTimeout, Duration maxClockSkew) {
    /** The longest tick, one second, by which a ceiling may be rounded up; and as much for what the ensemble's clocks disagree. */
    public static final Duration SLACK = Duration.ofSeconds(2);

    /** The largest that any configuration may have: what has to be assumed of replicas that nobody knows. */
    public static Terms largest() {
        return new Terms(
                AllocatorSettings.LONGEST_WINDOW,
                ZooKeeperSettings.LONGEST_SESSION_TIMEOUT,
                AllocatorSettings.LARGEST_CLOCK_SKEW);
    }

    /** How far ahead of ZooKeeper's time any floor can be, where all clocks are as right as is allowed. */
    public static Duration farthest() {
        return largest().ahead().plus(largest().maxClockSkew());
    }

    /**
     * How far a floor has to be ahead of the leader's time to be above every ceiling that was written until then: the window, the
     * skew once for the clock that reserved and once for the clock of whoever begins, and the slack.
     */
    public Duration ahead() {
        return window.plus(maxClockSkew).plus(maxClockSkew).plus(SLACK);
    }
}
