package org.idallocator.zk.settings;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;

/**
 * The terms by which a replica reserves. They bound how far a ceiling can be ahead of ZooKeeper's time when it is
 * written. All replicas of a pool have the same terms; a replica with other terms serves nothing from that pool.
 *
 * @param window how far ahead of its clock a replica reserves
 * @param sessionTimeout the session timeout that a replica asks for
 * @param maxClockSkew how far a replica's clock may be from that of ZooKeeper's leader
 */
public record Terms(Duration window, Duration sessionTimeout, Duration maxClockSkew) {
    /**
     * How far ahead a replica reserves. Each renewal raises a record's version, which has 32 bits: so it is not
     * shorter. Earlier software takes a window, or a floor, that is much further ahead than the longest for damage:
     * whoever allows a longer one makes that a shape version of its own.
     */
    public static final Term WINDOW =
            new Term("window", Duration.ofSeconds(1), Duration.ofHours(24), Duration.ofSeconds(10));

    /** The session timeout that a replica asks for. */
    public static final Term SESSION_TIMEOUT = new Term(
            "zookeeper.sessionTimeout",
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Optional.of("must be 1 s or more"),
            "; the slots of a replica that crashed are held as long");

    /** How far a replica's clock may be from that of ZooKeeper's leader. */
    public static final Term MAX_CLOCK_SKEW = new Term(
            "maxClockSkew",
            Duration.ofMillis(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Optional.empty(),
            "; after a loss of data in ZooKeeper everybody waits for the largest that is allowed");

    /**
     * The longest window that counts where nobody has declared one. When ZooKeeper has lost data, nobody can tell by
     * which window a replica reserved. The next incarnation's floor then lies above this window, and above longer ones
     * that a configuration or a layout declares, and all replicas wait for that floor.
     */
    public static final Duration LONGEST_UNDECLARED_WINDOW = Duration.ofSeconds(60);

    /**
     * One second for the longest tick, by which a ceiling may be rounded up, and one for clocks of the ensemble that
     * disagree.
     */
    public static final Duration SLACK = Duration.ofSeconds(2);

    /**
     * How long the return of a backup takes at least, from the last answer of the history that is lost to the first one
     * of the history that comes back. This is assumed: servers are stopped, their data is replaced, and they elect a
     * leader.
     */
    public static final Duration RESTORE = Duration.ofSeconds(16);

    /**
     * Each of them by its key in the configuration. Layouts are named by the terms in this order: in another, every
     * layout would count as edited.
     */
    public Map<String, Duration> byKey() {
        return ImmutableMap.of("window", window, "sessionTimeout", sessionTimeout, "maxClockSkew", maxClockSkew);
    }

    /**
     * The largest terms that replicas may have of whose configuration nothing is known. A longer window is a declared
     * one: it counts where a configuration or a layout says so.
     */
    public static Terms undeclared() {
        return new Terms(LONGEST_UNDECLARED_WINDOW, SESSION_TIMEOUT.most(), MAX_CLOCK_SKEW.most());
    }

    /** The largest terms that are allowed. */
    public static Terms longest() {
        return new Terms(WINDOW.most(), SESSION_TIMEOUT.most(), MAX_CLOCK_SKEW.most());
    }

    /**
     * How far a floor can be ahead of ZooKeeper's time where no longer window is declared, as long as all clocks are as
     * right as is required.
     */
    public static Duration farthest() {
        return undeclared().reach();
    }

    /** The larger one of each term. */
    public Terms orLarger(Terms other) {
        return new Terms(
                Comparators.max(window, other.window),
                Comparators.max(sessionTimeout, other.sessionTimeout),
                Comparators.max(maxClockSkew, other.maxClockSkew));
    }

    /**
     * The same terms as they bound what tenures of a pool reserve: where tenures end, as those of uid60 do, nothing is
     * reserved beyond that. How long they last is each replica's own matter, so the longest counts that any may have.
     */
    public Terms boundedBy(SlotPool pool) {
        if (pool.longestTenure().isEmpty()) {
            return this;
        }
        return new Terms(Comparators.min(window, Uid60Scheme.LONGEST_TENURE.plus(SLACK)), sessionTimeout, maxClockSkew);
    }

    /**
     * Whether what is reserved may outlast the return of a backup. Then claims wait until they know that nothing was
     * lost, and no slot is claimed before all that its record reserves is past.
     */
    public boolean outlastRestore() {
        return waitWhereNobodyVouches().compareTo(Duration.ZERO) > 0;
    }

    /** How long whoever comes waits, at most, where nobody can say whether a backup has come back. */
    public Duration waitWhereNobodyVouches() {
        return Comparators.max(Duration.ZERO, lead().minus(RESTORE));
    }

    /**
     * How far a ceiling can be ahead of the leader's time when it is written: the sum of the window, the skew of the
     * clock that reserved, and the slack.
     */
    public Duration lead() {
        return window.plus(maxClockSkew).plus(SLACK);
    }

    /**
     * How far a floor must be ahead of the leader's time to lie above every ceiling that was written until then:
     * {@link #lead}, and the skew of the clock of whoever begins. As no ID lies above its tenure's ceiling, it is also
     * how far an ID can be ahead of a clock that is as right as is required.
     */
    public Duration ahead() {
        return lead().plus(maxClockSkew);
    }

    /**
     * How far what was reserved until now can be ahead of a clock that is as right as is required: {@link #ahead} of
     * the leader's time, which that clock may be behind by the skew.
     */
    public Duration reach() {
        return ahead().plus(maxClockSkew);
    }
}
