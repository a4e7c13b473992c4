package org.idallocator.zk.operator;

import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.operator.Check.Result;
import org.jspecify.annotations.Nullable;

/**
 * What one look of the doctor found. The look does not say what it was about: whoever orders it does, by
 * {@link #about}.
 *
 * @param result how it is
 * @param seen what was found; where nothing was looked at, why not
 * @param remedy what to do; null where nothing is to be done
 * @param reason the state that a replica would be in; null unless it failed
 */
record Finding(
        Result result,
        String seen,
        @Nullable String remedy,
        @Nullable FenceReason reason) {

    static Finding ok(String seen) {
        return new Finding(Result.OK, seen, null, null);
    }

    static Finding warn(String seen, String remedy) {
        return new Finding(Result.WARN, seen, remedy, null);
    }

    static Finding fail(String seen, FenceReason reason, String remedy) {
        return new Finding(Result.FAIL, seen, remedy, reason);
    }

    static Finding skipped(String why) {
        return new Finding(Result.SKIPPED, "not looked at: " + why, null, null);
    }

    /** The line of the checklist, under the name of what was looked at. */
    Check about(String name) {
        return new Check(name, result, seen, remedy, reason == null ? null : reason.code());
    }
}
