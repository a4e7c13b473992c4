package org.idallocator.zk.settings;

import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.Map;

/**
 * The terms by which a replica reserves. They bound how far a ceiling can be ahead of ZooKeeper's time when it is written. All
 * replicas of a pool have the same terms; a replica with other terms serves nothing from that pool.
 *
 * @param window how far ahead of its clock a replica reserves
 * @param sessionTimeout the session timeout that a replica asks for
 * @param maxClockSkew how far a replica's clock may be from that of ZooKeeper's leader
 */
public record Terms(Duration window, Duration sessionTimeout, Duration maxClockSkew) {
    /**
     * One second for the longest tick, by which a ceiling may be rounded up, and one for clocks of the ensemble that disagree.
     */
    public static final Duration SLACK = Duration.ofSeconds(2);

    /**
     * Each of them by its key in the configuration. Layouts are named by the terms in this order: in another, every layout would count as
     * edited.
     */
    public Map<String, Duration> byKey() {
        return ImmutableMap.of("window", window, "sessionTimeout", sessionTimeout, "maxClockSkew", maxClockSkew);
    }

    /** The largest terms that any configuration may have. They are assumed of replicas that nobody knows. */
    public static Terms largest() {
        return new Terms(
                AllocatorSettings.LONGEST_WINDOW,
                ZooKeeperSettings.LONGEST_SESSION_TIMEOUT,
                AllocatorSettings.LARGEST_CLOCK_SKEW);
    }

    /** How far any floor can be ahead of ZooKeeper's time, as long as all clocks are as right as is required. */
    public static Duration farthest() {
        return largest().reach();
    }

    /**
     * How far a floor must be ahead of the leader's time to lie above every ceiling that was written until then. The sum of the
     * window, the skew of the clock that reserved, the skew of the clock of whoever begins, and the slack.
     */
    public Duration ahead() {
        return window.plus(maxClockSkew).plus(maxClockSkew).plus(SLACK);
    }

    /**
     * How far what was reserved until now can be ahead of a clock that is as right as is required: {@link #ahead} of the leader's time,
     * which that clock may be behind by the skew.
     */
    public Duration reach() {
        return ahead().plus(maxClockSkew);
    }
}
