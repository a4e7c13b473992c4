package org.idallocator.service.config;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.draw.Counts;
import org.idallocator.zk.settings.LeaseBounds;
import org.jspecify.annotations.Nullable;

/** {@code schemes.NAME}: one scheme that is served. What each method throws begins with the key that is refused. */
final class SchemeSection {
    private static final String PARENT = "schemes";

    @Key
    private @Nullable LeasesSection leases;

    @JsonAnySetter
    private final Map<String, Object> options = new HashMap<>();

    /** {@code schemes.NAME.leases}: how many slots a replica holds. */
    private static final class LeasesSection {
        @Key
        private int min = 1;

        @Key
        private @Nullable Integer max;
    }

    /** The scheme with these options. */
    Scheme<?> scheme(String name) {
        Refused.unless(
                Schemes.names().contains(name), "schemes has no key " + name + "; did you mean " + nearest(name) + "?");
        Map<String, Object> written = new HashMap<>(options);
        written.values().removeIf(Objects::isNull);
        if (leases != null) {
            written.put(SchemeOptions.LEASES, leases);
        }
        return Refused.below(PARENT, () -> Schemes.configured(Map.of(name, written)))
                .get(0);
    }

    private static String nearest(String name) {
        return Schemes.names().stream()
                .min(Comparator.comparingInt(
                        known -> LevenshteinDistance.getDefaultInstance().apply(known, name)))
                .orElseThrow();
    }

    /** The largest count of one request; empty where the default is meant. */
    Optional<Integer> maxCount(Scheme<?> scheme) {
        return Optional.ofNullable(options.get(SchemeOptions.MAX_COUNT))
                .map(value -> Refused.below(PARENT, () -> Counts.configured(scheme, value)));
    }

    /** How many slots a replica holds; empty where the default is meant. */
    Optional<LeaseBounds> leases(Scheme<?> scheme) {
        return Optional.ofNullable(leases).map(written -> {
            LeaseBounds bounds = Refused.below(
                    PARENT + "." + scheme.name() + ".leases",
                    () -> new LeaseBounds(written.min, Objects.requireNonNullElse(written.max, written.min)));
            return Refused.below(PARENT, () -> bounds.requireFor(scheme));
        });
    }
}
