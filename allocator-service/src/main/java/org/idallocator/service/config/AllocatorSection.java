package org.idallocator.service.config;

import io.dropwizard.util.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.draw.Counts;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.LeaseBounds;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;

/** The allocator's section of a configuration file; {@code config/*.yml} have all its keys, each with a comment. */
public final class AllocatorSection {
    /** The key of {@link #schemes}. */
    private static final String KEY = "schemes";

    /** Stands in for settings that cannot be used, and allows every window: what else is wrong is told all the same. */
    private static final ZooKeeperSettings ANY_WINDOW =
            ZooKeeperSettings.of("localhost").withSessionTimeout(ZooKeeperSettings.LONGEST_SESSION_TIMEOUT);

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
    private CorsSection cors = new CorsSection();

    @Key
    private LimitsSection limits = new LimitsSection();

    @Key
    private AdminSection admin = new AdminSection();

    @Key
    private boolean tellWhereabouts = false;

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
        Mistakes mistakes = new Mistakes();
        Map<String, Map<String, Object>> options = options(schemes);
        options.forEach((name, own) -> {
            if (Schemes.names().contains(name)) {
                mistakes.addAll(KEY, mistakesOf(name, own));
            } else {
                mistakes.addUnknown(KEY, name, Nearest.guess(name, Schemes.names()));
            }
        });
        mistakes.require(
                !options.isEmpty(),
                KEY,
                () -> "must have one of " + String.join(", ", Schemes.names()) + ", or be left out: it is empty");
        mistakes.throwIfAny();
        return Schemes.configured(options);
    }

    private static Mistakes mistakesOf(String name, Map<String, Object> own) {
        Mistakes mistakes = new Mistakes();
        Map<String, Map<String, Object>> alone = Map.of(name, own);
        Optional<List<Scheme<?>>> configured = mistakes.attempt(() -> Schemes.configured(alone));
        configured.ifPresent(
                scheme -> mistakes.attempt(name + "." + SchemeOptions.MAX_COUNT, () -> maxCounts(scheme, alone)));
        mistakes.attempt(name + "." + SchemeOptions.LEASES, () -> bounds(name, own, configured.orElse(List.of())));
        return mistakes;
    }

    /** How many slots a replica holds of a scheme, which is the only one of {@code configured} where it could be configured. */
    private static LeaseBounds bounds(String name, Map<String, Object> own, List<Scheme<?>> configured) {
        LeaseBounds bounds = LeasesKey.read(name, own);
        return bounds.equals(LeaseBounds.ONE) || configured.isEmpty() ? bounds : bounds.requireFor(configured.get(0));
    }

    /** How many slots of a scheme a replica holds, for each scheme that says so; throws as {@link #schemes} does. */
    private Map<String, LeaseBounds> leases(List<Scheme<?>> served) {
        Map<String, LeaseBounds> leases = new LinkedHashMap<>();
        if (schemes != null) {
            Map<String, Map<String, Object>> options = options(schemes);
            served.forEach(scheme -> leases.put(
                    scheme.name(), LeasesKey.read(scheme.name(), options.getOrDefault(scheme.name(), Map.of()))));
            leases.values().removeIf(LeaseBounds.ONE::equals);
        }
        return leases;
    }

    private static Map<String, Map<String, Object>> options(Map<String, @Nullable Map<String, Object>> schemes) {
        Map<String, Map<String, Object>> options = new LinkedHashMap<>();
        schemes.forEach((name, own) -> options.put(name, withoutEmpty(own)));
        return options;
    }

    /** The largest count of one request over HTTP, for each scheme; throws as {@link #schemes} does. */
    public Counts counts() {
        Map<String, Map<String, Object>> options = schemes == null ? Map.of() : options(schemes);
        List<Scheme<?>> served = schemes();
        return Counts.of(served, maxCounts(served, options));
    }

    private static Map<String, Integer> maxCounts(List<Scheme<?>> schemes, Map<String, Map<String, Object>> options) {
        Map<String, Integer> configured = new LinkedHashMap<>();
        for (Scheme<?> scheme : schemes) {
            Object value = options.getOrDefault(scheme.name(), Map.of()).get(SchemeOptions.MAX_COUNT);
            if (value != null) {
                configured.put(scheme.name(), Counts.configured(scheme, value));
            }
        }
        return configured;
    }

    /** {@code cors}: which pages of other origins may ask. */
    public CorsSection cors() {
        return cors;
    }

    /** {@code limits}: how much is done at a time over HTTP. */
    public LimitsSection limits() {
        return limits;
    }

    /** Whether the application port tells where replicas run: names, hosts, process IDs, addresses, sessions and tenures. */
    public boolean tellWhereabouts() {
        return tellWhereabouts;
    }

    /** {@code admin}: who may change anything on the admin port. */
    public AdminSection admin() {
        return admin;
    }

    private static Map<String, Object> withoutEmpty(@Nullable Map<String, Object> options) {
        Map<String, Object> present = new LinkedHashMap<>(Objects.requireNonNullElse(options, Map.of()));
        present.values().removeIf(Objects::isNull);
        return present;
    }

    /**
     * The settings that this section says. With an embedded ZooKeeper, the address is known only when that runs.
     *
     * @throws IllegalArgumentException naming each bad value and what is allowed
     */
    public AllocatorSettings settings() {
        Mistakes mistakes = new Mistakes();
        Optional<List<Scheme<?>>> served = mistakes.attempt(this::schemes);
        Optional<ZooKeeperSettings> reached = mistakes.attempt(zookeeper::settings);
        Optional<Replica> self = mistakes.attempt(this::replica);
        mistakes.attempt(cors::origins);
        limits.check(mistakes);
        admin.check(mistakes);
        Optional<AllocatorSettings> settings = mistakes.attempt(() -> new AllocatorSettings(
                served.orElse(List.of()),
                reached.orElse(ANY_WINDOW),
                ZooKeeperSection.java(window),
                ZooKeeperSection.java(maxClockSkew),
                ZooKeeperSection.java(maxWait),
                self.orElseGet(Replica::local),
                served.map(this::leases).orElse(Map.of())));
        mistakes.throwIfAny();
        return settings.orElseThrow();
    }

    private Replica replica() {
        return Replica.named(instance.isBlank() ? Replica.local().instance() : instance, url);
    }
}
