package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.Pressure;

/**
 * Whether callers need another slot, or one less, told from the {@link Pressure} that they met. It looks once in a while, the
 * window. Confined to the lease loop's thread.
 *
 * <ul>
 *   <li><b>Callers keep waiting</b> when all slots were used up for more than half of the window. Then one slot more is
 *       needed; the next window begins with that slot. So a burst that is over within the window claims one at most, and a
 *       longer one claims one slot in each window that it lasts.
 *   <li><b>It is quiet</b> when the slots but the newest were used up for at most a hundredth of the window. When it was quiet for a
 *       minute without a break, the newest slot is not needed. The minute begins anew whenever the number of slots changes.
 * </ul>
 *
 * <p>The second part is small, because callers who wait come back: where what is asked for is only a little more than the slots
 * have, they are soon used up all the time. So the number of slots swings only where what is asked for is within a hundredth of what
 * one slot less has, and then not more than once in a minute.
 */
final class Demand {
    private final Pressure pressure;
    private final Clock clock;
    private final Rules rules;
    private long lookedNanos;
    private long usedUpNanos;
    private long newestNeededNanos;
    private long quietSinceNanos;
    private long modestSinceNanos;
    private boolean modest;

    Demand(Pressure pressure, Clock clock, Rules rules) {
        this.pressure = pressure;
        this.clock = clock;
        this.rules = rules;
        beginAnew();
    }

    /**
     * How long to look before deciding.
     *
     * @param window how long to look for callers that keep waiting
     * @param quiet how long it must be quiet before a slot is given back
     * @param waitingPart callers keep waiting when all slots were used up for more than one part in so many of the window
     * @param quietPart it is quiet when the slots but the newest were used up for one part in so many of the window at most
     */
    record Rules(Duration window, Duration quiet, int waitingPart, int quietPart) {
        static final Rules USUAL = new Rules(Duration.ofSeconds(2), Duration.ofMinutes(1), 2, 100);
    }

    /** What the callers' demand asks for. */
    enum Verdict {
        MORE,
        SAME,
        LESS
    }

    /** How long {@link #look} may wait; 0 when the window is over. */
    long nanosUntilDue() {
        return Math.max(0, lookedNanos + rules.window().toNanos() - clock.nanos());
    }

    /** Looks at the window that ends now, and begins another. */
    Verdict look() {
        long now = clock.nanos();
        long window = now - lookedNanos;
        boolean keepWaiting = pressure.usedUpNanos() - usedUpNanos > window / rules.waitingPart();
        boolean quiet = pressure.newestNeededNanos() - newestNeededNanos <= window / rules.quietPart();
        beginWindow(now);
        if (keepWaiting || !quiet) {
            quietSinceNanos = now;
        }
        if (keepWaiting) {
            return Verdict.MORE;
        }
        return now - quietSinceNanos >= rules.quiet().toNanos() ? Verdict.LESS : Verdict.SAME;
    }

    /** The number of slots has changed: what was measured until now says nothing of the slots from now on. */
    void beginAnew() {
        quietSinceNanos = clock.nanos();
        beginWindow(quietSinceNanos);
    }

    private void beginWindow(long now) {
        lookedNanos = now;
        usedUpNanos = pressure.usedUpNanos();
        newestNeededNanos = pressure.newestNeededNanos();
    }

    /** A slot was given back for others: for a minute, the replica takes none above its fair share. */
    void beModest() {
        modest = true;
        modestSinceNanos = clock.nanos();
    }

    boolean isModest() {
        modest = modest && clock.nanos() - modestSinceNanos < rules.quiet().toNanos();
        return modest;
    }
}
