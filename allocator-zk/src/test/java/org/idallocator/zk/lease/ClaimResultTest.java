package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.StoreException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which exceptions refuse one scheme or slot alone. */
final class ClaimResultTest {

    static Stream<RuntimeException> refusals() {
        return Stream.of(
                FencedException.of(FenceReason.NO_FREE_SLOT, "none"),
                new ChangedMeanwhileException("it was removed"),
                new StoreException(Kind.NO_PERMISSION, "it may not be read"),
                new StoreException(Kind.MALFORMED, "it is no record"),
                new StoreException(Kind.NEWER, "it is of a later version"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void shouldRefuseOneAloneWhenThatIsTheMatter(RuntimeException cause) {
        ClaimResult.Refused refused = ClaimResult.attempt(() -> {
                    throw cause;
                })
                .orElseThrow();
        assertSame(cause, refused.cause());
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_ANSWER", "CREDENTIALS_REFUSED", "NO_TLS"})
    void shouldRefuseNoneByItselfWhenZooKeeperDoesNotAnswer(Kind kind) {
        StoreException unanswered = new StoreException(kind, "no answer");
        assertSame(
                unanswered,
                assertThrows(
                        StoreException.class,
                        () -> ClaimResult.attempt(() -> {
                            throw unanswered;
                        })));
    }

    @Test
    void shouldRefuseNoneByItselfWhenNoneMayServe() {
        NoneMayServeException none = new NoneMayServeException(FencedException.of(FenceReason.META_GONE, "it is gone"));
        assertSame(
                none,
                assertThrows(
                        NoneMayServeException.class,
                        () -> ClaimResult.attempt(() -> {
                            throw none;
                        })));
    }

    @Test
    void shouldRefuseNothingWhenThePartIsDone() {
        assertEquals(Optional.empty(), ClaimResult.attempt(() -> {}));
    }
}
