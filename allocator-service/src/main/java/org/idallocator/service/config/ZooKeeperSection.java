package org.idallocator.service.config;

import io.dropwizard.util.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;

/** {@code zookeeper}: where the leases live. */
public final class ZooKeeperSection {
    private static final String DEFAULT_CONNECT = "localhost:2181";

    @Key
    private String connect = "";

    @Key
    private String root = "/id-allocator";

    @Key
    private Duration sessionTimeout = Duration.seconds(10);

    @Key
    private List<@Nullable String> auth = List.of();

    @Key
    private Map<String, @Nullable String> properties = Map.of();

    @Key
    private EmbeddedSection embedded = new EmbeddedSection();

    public EmbeddedSection embedded() {
        return embedded;
    }

    /** Throws {@link IllegalArgumentException} naming each bad value and what is allowed. */
    ZooKeeperSettings settings() {
        Mistakes mistakes = new Mistakes();
        embedded.check(mistakes);
        mistakes.require(
                !embedded.enabled() || connect.isBlank(),
                "zookeeper.connect",
                () -> "must be left out when zookeeper.embedded.enabled is true: " + Shown.of(connect));
        String address = connect.isBlank() ? DEFAULT_CONNECT : connect;
        Optional<ZooKeeperSettings> settings = mistakes.attempt(() -> new ZooKeeperSettings(
                address,
                root,
                java(sessionTimeout),
                auth.stream().filter(Objects::nonNull).toList(),
                withValues()));
        mistakes.throwIfAny();
        return settings.orElseThrow();
    }

    /** A key without a value, as a variable that is not set leaves it, is not there. */
    private Map<String, String> withValues() {
        Map<String, String> present = new LinkedHashMap<>();
        properties.forEach((key, value) -> {
            if (value != null) {
                present.put(key, value);
            }
        });
        return present;
    }

    /** A duration as Java has it; one of more than 292 years is as good as 292. */
    static java.time.Duration java(Duration duration) {
        return java.time.Duration.ofNanos(duration.toNanoseconds());
    }
}
