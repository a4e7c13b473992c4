package org.idallocator.zk.epoch;

import java.time.Duration;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.StoreException;

/** Puts into words what callers are told while no tenure serves. */
public final class Fencing {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private Fencing() {}

    /** The reason's sentence with a detail in parentheses, and the hint to retry after one second. */
    public static FencedException of(FenceReason reason, String detail) {
        return new FencedException(reason, reason.sentence() + " (" + detail + ")", RETRY);
    }

    /** The same, where it is known how long the state will last. */
    public static FencedException of(FenceReason reason, String detail, Duration retryAfter) {
        return new FencedException(reason, reason.sentence() + " (" + detail + ")", retryAfter);
    }

    /** What a failure of the store means for callers. */
    public static FencedException of(StoreException e) {
        FenceReason reason = switch (e.kind()) {
            case NO_PERMISSION, REFUSED -> FenceReason.NO_PERMISSION;
            case UNCERTAIN -> FenceReason.UNREACHABLE;
            case NO_TLS -> FenceReason.TLS_REFUSED;
            case NO_CHROOT -> FenceReason.NO_CHROOT;
            case MALFORMED -> FenceReason.MALFORMED_NODE;
            case NEWER -> FenceReason.NEWER_VERSION;
            case CONFLICT -> FenceReason.STARTING;
        };
        return of(reason, String.valueOf(e.getMessage()));
    }
}
