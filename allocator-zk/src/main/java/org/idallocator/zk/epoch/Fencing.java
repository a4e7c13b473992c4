package org.idallocator.zk.epoch;

import java.time.Duration;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.StoreException;

/** Goes with the names of the epochs: {@link FencedException#of} and {@link StoreException#fenced} say the same. */
public final class Fencing {
    private Fencing() {}

    public static FencedException of(FenceReason reason, String detail) {
        return FencedException.of(reason, detail);
    }

    public static FencedException of(FenceReason reason, String detail, Duration retryAfter) {
        return FencedException.of(reason, detail, retryAfter);
    }

    public static FencedException of(StoreException e) {
        return e.fenced();
    }
}
