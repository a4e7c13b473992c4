package org.idallocator.dropwizard.config;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.dropwizard.util.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.ids.MaxCounts;
import org.idallocator.zk.settings.AllocatorSettings;
import org.jspecify.annotations.Nullable;

/** {@code schemes.NAME}: one scheme to serve. Each method throws {@link BadValueException} when its value is bad. */
final class SchemeSection {
    private static final String SCHEMES = "schemes";

    @Key
    private @Nullable Integer leases;

    @Key
    private @Nullable Duration window;

    @JsonAnySetter
    private final Map<String, Object> options = new HashMap<>();

    /** The scheme of this name with the options of this section. */
    Scheme<?> scheme(String name) {
        if (!Schemes.names().contains(name)) {
            throw new BadValueException(SCHEMES, "has no key " + name + "; did you mean " + nearest(name) + "?");
        }
        Map<String, Object> written = new HashMap<>(options);
        written.put(SchemeOptions.LEASES, leases);
        written.put(SchemeOptions.WINDOW, window);
        written.values().removeIf(Objects::isNull);
        return Checks.in(SCHEMES, () -> Schemes.configured(Map.of(name, written)))
                .get(0);
    }

    private static String nearest(String name) {
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        return Collections.min(Schemes.names(), Comparator.comparingInt(known -> distance.apply(known, name)));
    }

    /** The largest count of one request of this section's scheme; empty for the default. */
    Optional<Integer> maxCount(Scheme<?> scheme) {
        return Optional.ofNullable(options.get(SchemeOptions.MAX_COUNT))
                .map(value -> Checks.in(SCHEMES, () -> MaxCounts.configured(scheme, value)));
    }

    /** How far ahead time of this section's scheme is reserved; empty for the window of all schemes. */
    Optional<java.time.Duration> window(Scheme<?> scheme) {
        return Optional.ofNullable(window)
                .map(ZooKeeperSection::toJava)
                .map(duration -> Checks.in(SCHEMES, () -> AllocatorSettings.requireWindow(scheme, duration)));
    }

    /** How many slots of this section's scheme a replica holds; empty for the default. */
    Optional<Integer> leases(Scheme<?> scheme) {
        return Optional.ofNullable(leases)
                .map(number -> Checks.in(SCHEMES, () -> AllocatorSettings.requireLeases(scheme, number)));
    }
}
