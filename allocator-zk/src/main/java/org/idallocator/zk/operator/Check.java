package org.idallocator.zk.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One line of the doctor's checklist. A value, without a line break in {@code name} and {@code seen}.
 *
 * @param name what was looked at: {@code ZooKeeper}, {@code servers}, {@code session}, {@code chroot}, {@code root},
 *     {@code rights}, {@code strangers}, {@code clock}, or a scheme
 * @param result how it is
 * @param seen what was found; where nothing was looked at, why not
 * @param remedy what to do, with the commands, one or more lines; null where nothing is to be done
 * @param reason the code of the state that a replica would be in, {@code layout-mismatch}; null unless it failed
 */
public record Check(
        String name,
        Result result,
        String seen,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String remedy,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String reason) {

    /** How it is with what was looked at. */
    public enum Result {
        /** All is well. */
        @JsonProperty("ok")
        OK,
        /** A replica serves, but something is worth a remedy before it fails. */
        @JsonProperty("warn")
        WARN,
        /** One more replica would not serve at once. */
        @JsonProperty("fail")
        FAIL,
        /** Nothing was looked at. */
        @JsonProperty("skipped")
        SKIPPED
    }

    /** Whether a replica would not serve at once because of this. */
    public boolean failed() {
        return result == Result.FAIL;
    }
}
