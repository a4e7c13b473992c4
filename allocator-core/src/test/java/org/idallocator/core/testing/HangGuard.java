package org.idallocator.core.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How long a test waits for what must happen, on any machine and beside whatever else that does. Only a hang reaches
 * the end of it: no test may take it for a bound on what it tests.
 */
public final class HangGuard {
    /** For {@code @Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES)}. */
    public static final int MINUTES = 5;

    public static final Duration TIME = Duration.ofMinutes(MINUTES);

    private static final Duration OFTEN = Duration.ofMillis(20);

    private HangGuard() {}

    /** Waits for {@link #TIME}, and looks at once and every 20 ms. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(TIME).pollDelay(Duration.ZERO).pollInterval(OFTEN);
    }

    /** As {@link #await()}, and names what never came. */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(TIME).pollDelay(Duration.ZERO).pollInterval(OFTEN);
    }
}
