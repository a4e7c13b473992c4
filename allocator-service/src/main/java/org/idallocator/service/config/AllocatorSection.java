package org.idallocator.service.config;

import io.dropwizard.util.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.jspecify.annotations.Nullable;

/** The allocator's section of a configuration file; {@code config/*.yml} have all its keys, each with a comment. */
public final class AllocatorSection {

    @Key
    private ZooKeeperSection zookeeper = new ZooKeeperSection();

    @Key
    private Duration window = Duration.seconds(10);

    @Key
    private Duration maxClockSkew = Duration.seconds(2);

    @Key
    private Duration maxWait = Duration.seconds(2);

    @Key
    private String instance = "";

    @Key
    private String url = "";

    @Key
    private @Nullable Map<String, @Nullable Map<String, Object>> schemes;

    public EmbeddedSection embedded() {
        return zookeeper.embedded();
    }

    /** The schemes to serve, in the order of {@link Schemes#all}; throws {@link IllegalArgumentException} for a bad one. */
    public List<Scheme<?>> schemes() {
        if (schemes == null) {
            return Schemes.all();
        }
        Map<String, Map<String, Object>> options = new LinkedHashMap<>();
        schemes.forEach((name, own) -> options.put(name, withoutEmpty(own)));
        if (options.isEmpty()) {
            throw new IllegalArgumentException(
                    "schemes must name at least one of " + Schemes.names() + ": it is empty");
        }
        return Schemes.configured(options);
    }

    private static Map<String, Object> withoutEmpty(@Nullable Map<String, Object> options) {
        Map<String, Object> present = new LinkedHashMap<>(Objects.requireNonNullElse(options, Map.of()));
        present.values().removeIf(Objects::isNull);
        return present;
    }

    /**
     * The settings that this section says. With an embedded ZooKeeper, the address is known only when that runs.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed
     */
    public AllocatorSettings settings() {
        return new AllocatorSettings(
                schemes(),
                zookeeper.settings(),
                window.toJavaDuration(),
                maxClockSkew.toJavaDuration(),
                maxWait.toJavaDuration(),
                replica());
    }

    private Replica replica() {
        Replica local = Replica.local();
        return Replica.named(instance.isBlank() ? local.instance() : instance, url);
    }
}
