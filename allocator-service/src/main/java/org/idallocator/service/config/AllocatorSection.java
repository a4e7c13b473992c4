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

/** {@code allocator}: all that is not Dropwizard's own. A key that is left out, or left empty, has its default. */
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

    /** What to serve, in the list's order. */
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

    /** All of it; throws {@link IllegalArgumentException} naming the bad value and what is allowed. */
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
