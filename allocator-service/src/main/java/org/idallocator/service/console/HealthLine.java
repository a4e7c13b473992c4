package org.idallocator.service.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.SchemeStatus;

/** One line that says how the replica is: {@code 4 schemes serve; sno fenced: every slot of the pool is held; …}. */
final class HealthLine {
    private HealthLine() {}

    static String of(List<SchemeStatus> statuses) {
        List<String> parts = new ArrayList<>();
        parts.add(serving(statuses.stream().filter(SchemeStatus::active).count(), statuses.size()));
        statuses.forEach(status -> problem(status).ifPresent(parts::add));
        return String.join("; ", parts);
    }

    private static String serving(long count, int of) {
        if (count == of && of > 1) {
            return "all " + count + " schemes serve";
        } else if (count == 1) {
            return "1 scheme serves";
        }
        return (count == 0 ? "no" : Long.toString(count)) + (count == 0 ? " scheme serves" : " schemes serve");
    }

    private static Optional<String> problem(SchemeStatus status) {
        return status.fenced()
                .map(why -> status.scheme() + " fenced: " + why.getMessage())
                .or(() -> status.lacking().map(why -> status.scheme() + " has " + few(status, why)));
    }

    private static String few(SchemeStatus status, FencedException why) {
        return status.slots()
                        .map(slots -> slots.serving() + " of at least "
                                + slots.bounds().min() + " slots: ")
                        .orElse("too few slots: ")
                + why.getMessage();
    }
}
