package org.idallocator.dropwizard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;

class LeasedGeneratorTest {
    private static final AllocatorSettings USUAL =
            AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of("zk1:2181"));
    private static final Terms LONG = USUAL.withWindow(Terms.WINDOW.most()).terms();

    private static Optional<Duration> timeToClaim(FenceReason reason, Duration left, Terms terms) {
        return LeasedGenerator.timeToClaim(FencedException.of(reason, "a test", left), terms);
    }

    /** The first start on an ensemble sets such a floor. */
    @Test
    void shouldWaitForAFloorThatIsAsFarAheadAsTheTermsAllow() {
        for (Terms terms : List.of(USUAL.terms(), LONG)) {
            assertEquals(
                    Optional.of(terms.ahead().plusSeconds(30)), timeToClaim(FenceReason.COOLING, terms.ahead(), terms));
        }
    }

    /** A fence-restore counts terms that nobody has declared. */
    @Test
    void shouldWaitForAFloorOfLargerTermsThanItsOwn() {
        Duration left = Terms.farthest();

        assertEquals(Optional.of(left.plusSeconds(30)), timeToClaim(FenceReason.COOLING, left, USUAL.terms()));
    }

    @Test
    void shouldNotWaitForWhatAnOperatorHasToSeeTo() {
        Duration tooFar = Terms.longest().reach().plusMillis(1);

        assertEquals(Optional.empty(), timeToClaim(FenceReason.COOLING, tooFar, LONG));
        assertEquals(Optional.empty(), timeToClaim(FenceReason.COOLING, LONG.ahead(), USUAL.terms()));
        assertEquals(Optional.empty(), timeToClaim(FenceReason.UNREACHABLE, Duration.ofSeconds(1), LONG));
    }
}
