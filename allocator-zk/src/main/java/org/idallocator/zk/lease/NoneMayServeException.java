package org.idallocator.zk.lease;

import org.idallocator.core.fence.FencedException;

/**
 * No tenure of this replica may serve, whatever its scheme: all fences are to trip for this reason. Whoever throws this
 * ends them all, however far away it is caught. A {@link FencedException} says less: it refuses one scheme or slot, or
 * whoever asks.
 */
final class NoneMayServeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FencedException refusal;

    /** {@code refusal} is what callers are told. */
    NoneMayServeException(FencedException refusal) {
        super(refusal.getMessage());
        this.refusal = refusal;
    }

    /** Why none may serve, as callers are told. */
    FencedException refusal() {
        return refusal;
    }
}
