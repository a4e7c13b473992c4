package org.idallocator.dropwizard.api;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.idallocator.zk.lease.SchemeStatus;

/** Whether a scheme serves on a replica. */
public enum SchemeState {
    /** It serves. */
    ACTIVE,
    /** It issues nothing; the reason stands beside this. */
    FENCED;

    public static SchemeState of(SchemeStatus status) {
        return status.active() ? ACTIVE : FENCED;
    }

    /** The state as answers have it: {@code active}. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
