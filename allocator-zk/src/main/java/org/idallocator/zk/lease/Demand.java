package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.Pressure;

/**
 * Whether callers need another slot, or one less, told from the {@link Pressure} that they met. It looks once in a while, the
 * window. Confined to the lease loop's thread.
 *
 * <ul>
 *   <li><b>Callers keep waiting</b> when all slots were used up for so much of the window that callers would use up one more, too:
 *       with {@code n} slots, for more than one part in {@code n + 1}. Then one slot more is needed; the next window begins with that
 *       slot. So a burst that is over within the window claims one at most, and a longer one claims one slot in each window that it
 *       lasts.
 *   <li><b>It is quiet</b> when the slots but the newest were used up for at most a hundredth of the window. When it was quiet for a
 *       minute without a break, the newest slot is not needed. The minute begins anew whenever the number of slots changes.
 * </ul>
 *
 * <p>What a further slot brings: callers who wait for a part {@code w} of the time take what {@code n} slots have in the rest of it,
 * and so what one slot has in {@code (1 - w) / n}. They use a further one up where {@code w} is at least that, which is where it is at
 * least {@code 1 / (n + 1)}: half of the time with one slot, an eighth with seven. Below that, callers are too slow for a further slot,
 * which would bring them less than the part that it costs: they would be faster by {@code w} of the time at most, for one slot more to
 * {@code n}. As it is more than a hundredth for each number of slots that a replica may hold, who claims a slot does not find it quiet
 * without that slot.
 *
 * <p>The second part is small, because callers who wait come back: where what is asked for is only a little more than the slots
 * have, they are soon used up all the time. So for a steady demand the number of slots swings only where what is asked for is within
 * a hundredth of what one slot less has, and then not more than once in a minute. Bursts with more than a quiet minute between them
 * claim a slot each time, and give it back.
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
     * @param usePart callers keep waiting when they would use more than one part in so many of a further slot; all of it when this is 1
     * @param quietPart it is quiet when the slots but the newest were used up for one part in so many of the window at most
     */
    record Rules(Duration window, Duration quiet, int usePart, int quietPart) {
        static final Rules USUAL = new Rules(Duration.ofSeconds(2), Duration.ofMinutes(1), 1, 100);

        /** Whether callers who waited for so long in the window would use a further slot. */
        boolean keepWaiting(long usedUpNanos, long windowNanos, int slots) {
            return usedUpNanos > windowNanos / ((long) slots * usePart + 1);
        }
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

    /** Looks at the window that ends now, in which callers drew from so many slots, and begins another. */
    Verdict look(int slots) {
        long now = clock.nanos();
        long window = now - lookedNanos;
        boolean keepWaiting = rules.keepWaiting(pressure.usedUpNanos() - usedUpNanos, window, slots);
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
