package org.idallocator.zk.lease;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.SlotRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells each change of a lease's state in one line: {@code lease claimed scheme=sno slot=0017 tenure=… reason=vacant}.
 * The same values are the event's key-value pairs, which a JSON layout writes as fields. No line has an ID, a
 * credential or what opens a session. Thread-safe.
 */
final class LeaseLog {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLog.class);

    /** Why fences trip where somebody has asked for that. */
    private static final Set<FenceReason> WANTED =
            EnumSet.of(FenceReason.RELEASED, FenceReason.DRAINED, FenceReason.CHECKPOINT);

    private LeaseLog() {}

    /** A slot was claimed where none served. */
    static void claimed(Tenure tenure) {
        long floor = tenure.fence().floorTick();
        tell(Level.INFO, "claimed", tenure, "vacant", "ticks from " + floor);
    }

    /** A slot was claimed in the place of another, for the reason that ends the other's tenure. */
    static void claimed(Tenure tenure, Tenure inPlaceOf, FenceReason why) {
        String detail = "in the place of slot " + inPlaceOf.slot().name();
        tell(Level.INFO, "claimed", tenure, why.code(), detail);
    }

    /** A tenure's fence has tripped: nothing is issued any more. */
    static void fenced(Tenure tenure, FencedException why) {
        Level level = WANTED.contains(why.reason()) ? Level.INFO : Level.WARN;
        tell(level, "fenced", tenure, why.reason().code(), String.valueOf(why.getMessage()));
    }

    /**
     * A tenure was renewed, and not at the first try. {@code trouble} is why an earlier try got no plain answer; empty
     * where ZooKeeper refused it because of some slot, which the line calls a conflict.
     */
    static void renewed(Tenure tenure, Optional<StoreException.Kind> trouble) {
        String reason = trouble.map(LeaseLog::word).orElse("conflict");
        tell(Level.INFO, "renewed", tenure, reason, "after a renewal without a plain answer");
    }

    /**
     * A tenure goes on, unless its fence has tripped, on another session than the one that held it: its lease was made
     * anew.
     */
    static void takenUp(Tenure tenure) {
        if (tenure.fence().trippedFor() == null) {
            String detail = "session " + tenure.lease().session() + " holds it now";
            tell(Level.INFO, "taken-up", tenure, "new-session", detail);
        }
    }

    /** The word for it by which people look in the log. */
    private static String word(StoreException.Kind kind) {
        return switch (kind) {
            case NO_ANSWER -> "uncertain";
            case CREDENTIALS_REFUSED -> "refused";
            default -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        };
    }

    /**
     * Another tenure could have used what this one has used, as a copy of this process or a stranger wrote the record:
     * it was raised.
     */
    static void raised(Tenure tenure, SlotRecord record, RecordHistory.Author author) {
        String why = author == RecordHistory.Author.COPY
                ? "a copy of this process wrote the record, or a backup came back: it"
                : "the record was forged and";
        OptionalLong last = tenure.lastUsedTick();
        String used = last.isPresent() ? "tick " + last.getAsLong() : "none";
        String detail = why + " said tick " + record.ceiling() + "; " + used + " was used";
        tell(Level.WARN, "raised", tenure, FenceReason.RECORD_TAKEN.code(), detail);
    }

    /** A tenure has ended, and its slot was given back in order, or nothing of it is ours any more. */
    static void released(Tenure tenure) {
        tellEnd("released", tenure);
    }

    /** A tenure has ended, and nothing was given back: its lease ends with its session. */
    static void abandoned(Tenure tenure) {
        tellEnd("abandoned", tenure);
    }

    /** Whoever ends a tenure closes it before, which trips its fence. */
    private static void tellEnd(String change, Tenure tenure) {
        FencedException why = Objects.requireNonNull(tenure.fence().trippedFor());
        tell(Level.INFO, change, tenure, why.reason().code(), String.valueOf(why.getMessage()));
    }

    private static void tell(Level level, String change, Tenure tenure, String reason, String detail) {
        String scheme = tenure.slot().scheme().name();
        String slot = tenure.slot().name();
        String where = " scheme=" + scheme + " slot=" + slot + " tenure=" + tenure.nonce();
        LOG.atLevel(level)
                .addKeyValue("change", change)
                .addKeyValue("scheme", scheme)
                .addKeyValue("slot", slot)
                .addKeyValue("tenure", tenure.nonce())
                .addKeyValue("reason", reason)
                .addKeyValue("detail", detail)
                .log("lease " + change + where + " reason=" + reason + " detail=\"" + detail.replace('"', '\'') + '"');
    }
}
