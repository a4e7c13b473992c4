package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * The clocks and rules that bound what tenures of this replica may issue.
 *
 * @param clock this replica's clock
 * @param judge says whether that clock may be trusted
 * @param reservation how far ahead ticks are reserved, and until when a tenure may rely on its lease
 * @param waits when a tenure would have to wait for too long to be of use
 * @param own what this process itself may have issued
 */
record TenureRules(Clock clock, ClockJudge judge, Reservation reservation, Waits waits, OwnTicks own) {
    /** How long to wait before what ZooKeeper or a rule has refused is tried again. */
    static final Duration RETRY = Duration.ofMillis(200);

    static TenureRules of(AllocatorSettings settings, Clock clock) {
        Duration window = settings.window();
        Duration maxClockSkew = settings.maxClockSkew();
        return new TenureRules(
                clock,
                new ClockJudge(clock, maxClockSkew),
                new Reservation(window),
                new Waits(clock, window, maxClockSkew),
                new OwnTicks());
    }
}
