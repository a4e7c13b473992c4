package org.idallocator.faults.scene;

import java.time.Duration;

/**
 * How long things last.
 *
 * @param name {@code short} or {@code long}
 * @param session ZooKeeper's session timeout in rows that do not need another
 * @param before load before a fault
 * @param after load after it
 * @param fault how long a fault lasts that has no length of its own
 * @param pauseMillis of each client for many snos, between two requests
 */
public record Plan(String name, Duration session, Duration before, Duration after, Duration fault, long pauseMillis) {
    /** The session timeout that config/cluster.yml has. */
    public static final Duration DEFAULT_SESSION = Duration.ofSeconds(10);

    /** A few minutes on two cores. */
    public static final Plan SHORT = new Plan(
            "short", Duration.ofSeconds(4), Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(3), 250);

    /** Some 40 minutes. */
    public static final Plan LONG = new Plan(
            "long", DEFAULT_SESSION, Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(10), 100);

    /** The same for the control: never long, and without pauses in which two holders could miss each other. */
    public Plan control() {
        Plan brief = equals(LONG) ? SHORT : this;
        return new Plan("control", brief.session, brief.before, brief.after, brief.fault, 0);
    }
}
