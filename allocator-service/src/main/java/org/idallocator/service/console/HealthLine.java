package org.idallocator.service.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.SchemeStatus;

/** One line that says how the replica is: {@code 4 schemes serve; sno fenced: every slot of the pool is held; …}. */
final class HealthLine {
    private HealthLine() {}

    static String of(List<SchemeStatus> statuses) {
        Stream<String> fenced = byReason(statuses).entrySet().stream()
                .map(reason -> String.join(", ", reason.getValue()) + " fenced: " + reason.getKey());
        Stream<String> lacking = statuses.stream()
                .filter(SchemeStatus::active)
                .flatMap(status -> status.lacking().stream().map(why -> status.scheme() + " has " + few(status, why)));
        String serving = serving(statuses.stream().filter(SchemeStatus::active).count(), statuses.size());
        return Stream.of(Stream.of(serving), fenced, lacking)
                .flatMap(parts -> parts)
                .collect(Collectors.joining("; "));
    }

    /** The schemes that are fenced, by what is said of them: an outage is told once. */
    private static Map<String, List<String>> byReason(List<SchemeStatus> statuses) {
        Map<String, List<String>> schemes = new LinkedHashMap<>();
        statuses.forEach(status -> status.fenced()
                .ifPresent(why -> schemes.computeIfAbsent(String.valueOf(why.getMessage()), words -> new ArrayList<>())
                        .add(status.scheme())));
        return schemes;
    }

    private static String serving(long count, int of) {
        if (count == of && of > 1) {
            return "all " + count + " schemes serve";
        } else if (count == 1) {
            return "1 scheme serves";
        }
        return (count == 0 ? "no" : Long.toString(count)) + (count == 0 ? " scheme serves" : " schemes serve");
    }

    private static String few(SchemeStatus status, FencedException why) {
        return status.slots()
                        .map(slots -> slots.serving() + " of at least "
                                + slots.bounds().min() + " slots: ")
                        .orElse("too few slots: ")
                + why.getMessage();
    }
}
