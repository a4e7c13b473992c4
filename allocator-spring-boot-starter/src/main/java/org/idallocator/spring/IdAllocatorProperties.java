package org.idallocator.spring;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys below {@code idallocator}: those that the service has below {@code allocator}, but for what concerns HTTP or
 * a file, and two of the starter's own. A key that is not here is refused, as a typing error in one of them would be
 * silent.
 *
 * @param enabled whether the program has an allocator
 * @param startTimeout how long the start of the program waits until all schemes serve; it fails when the time is over.
 *     With 0s it does not wait. Without this key, the longest wait that the windows can cause, and 14 s more
 * @param zookeeper which ZooKeeper keeps the leases, and how to reach it
 * @param schemes what is served, by the scheme's name, each with its options; without this key sno alone
 * @param window how far ahead time is reserved: so long IDs come while ZooKeeper is away. The same for all replicas
 * @param maxClockSkew how far the clock may be from ZooKeeper's. The same for all replicas
 * @param maxWait how long a draw waits without getting any ID
 * @param instance this replica's name; by default its host's name and its process ID
 * @param url where this replica answers HTTP, for operators who look at leases
 */
@ConfigurationProperties(prefix = IdAllocatorProperties.PREFIX, ignoreUnknownFields = false)
record IdAllocatorProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Duration startTimeout,
        @DefaultValue ZooKeeperSection zookeeper,
        @DefaultValue Map<String, SchemeSection> schemes,
        @DefaultValue("10s") Duration window,
        @DefaultValue("2s") Duration maxClockSkew,
        @DefaultValue("2s") Duration maxWait,
        @DefaultValue("") String instance,
        @DefaultValue("") String url) {

    static final String PREFIX = "idallocator";
    private static final String SCHEMES = "schemes";
    private static final Pattern UPPER_CASE = Pattern.compile("[A-Z]");

    /** How long connecting and claiming may take, beside the waits that windows cause. */
    private static final Duration LONGEST_CLAIMING = Duration.ofSeconds(14);

    /**
     * {@code zookeeper}: which ZooKeeper keeps the leases, and how to reach it.
     *
     * @param connect the servers, and a chroot if there is one, as in zk1:2181,zk2:2181/ids
     * @param root where everything lives in ZooKeeper. Replicas of one root share its slots
     * @param sessionTimeout until ZooKeeper drops the leases of a silent replica. The same for all replicas
     * @param auth who this replica is to ZooKeeper, each scheme:credentials
     * @param properties properties of ZooKeeper's client, as for TLS
     */
    record ZooKeeperSection(
            @DefaultValue("") String connect,
            @DefaultValue(ZooKeeperSettings.DEFAULT_ROOT) String root,
            @DefaultValue("10s") Duration sessionTimeout,
            @DefaultValue List<String> auth,
            @DefaultValue Map<String, String> properties) {

        ZooKeeperSettings settings() {
            Shown.require(
                    !connect.isBlank(),
                    "zookeeper.connect",
                    "must be set to ZooKeeper's servers, as in zk1:2181,zk2:2181,zk3:2181",
                    "nothing is set");
            return new ZooKeeperSettings(connect, root, sessionTimeout, auth, properties);
        }
    }

    /**
     * {@code schemes.NAME}: the options of one scheme. Each scheme has some of them, and refuses the others.
     *
     * @param leases how many slots a replica holds
     * @param window another window for this scheme
     * @param partition sno: the first partition
     * @param partitions sno: how many from that one on
     * @param shards sno: how many replicas share each partition
     * @param clusterId eightbyte: another one for each group of replicas that does not share the root
     * @param onePerMillisecond eightbyte: at most one a millisecond
     * @param longestTenureSeconds uid60: how long a worker ID is held
     * @param type gid: that of a draw that names none
     */
    record SchemeSection(
            @Nullable Integer leases,
            @Nullable Duration window,
            @Nullable Integer partition,
            @Nullable Integer partitions,
            @Nullable Integer shards,
            @Nullable Integer clusterId,
            @Nullable Boolean onePerMillisecond,
            @Nullable Integer longestTenureSeconds,
            @Nullable String type) {

        /**
         * A scheme without options: what YAML has as nothing comes here as an empty text. Spring's conversion finds
         * this method by its name.
         */
        public static SchemeSection valueOf(String text) {
            if (!text.isEmpty()) {
                throw new IllegalArgumentException(
                        "must have options of the scheme, such as {leases: 2}, or nothing: " + Shown.of(text));
            }
            return new SchemeSection(null, null, null, null, null, null, null, null, null);
        }

        /** Those that are set, by the names that the scheme has for them. */
        Map<String, Object> options() {
            Map<String, Object> set = new HashMap<>();
            put(set, SchemeOptions.LEASES, leases);
            put(set, SchemeOptions.WINDOW, window);
            put(set, "partition", partition);
            put(set, "partitions", partitions);
            put(set, "shards", shards);
            put(set, "clusterId", clusterId);
            put(set, "onePerMillisecond", onePerMillisecond);
            put(set, "longestTenureSeconds", longestTenureSeconds);
            put(set, "type", type);
            return set;
        }

        private static void put(Map<String, Object> set, String key, @Nullable Object value) {
            if (value != null) {
                set.put(key, value);
            }
        }
    }

    /**
     * The settings that these keys say.
     *
     * @throws BadValueException naming the first bad key, as it is written in a configuration, and what is allowed
     */
    AllocatorSettings settings() {
        return in(PREFIX, () -> {
            List<Scheme<?>> served = in(SCHEMES, this::served);
            return new AllocatorSettings(
                    served,
                    zookeeper.settings(),
                    window,
                    maxClockSkew,
                    maxWait,
                    Replica.named(instance.isBlank() ? Replica.local().instance() : instance, url),
                    configured(
                            served, section -> Optional.ofNullable(section.leases()), AllocatorSettings::requireLeases),
                    configured(
                            served,
                            section -> Optional.ofNullable(section.window()),
                            AllocatorSettings::requireWindow));
        });
    }

    /**
     * How long the start waits. Where no time is configured, that is longer than any wait that these windows can cause.
     * Each process begins such a wait again, so starts that give up earlier may fail for ever.
     *
     * @throws BadValueException when a negative time is configured
     */
    Duration patience(AllocatorSettings settings) {
        Duration configured = startTimeout;
        if (configured == null) {
            return settings.terms().ahead().plus(LONGEST_CLAIMING);
        }
        return in(PREFIX, () -> {
            Shown.require(
                    !configured.isNegative(), "startTimeout", "must be 0s or longer", configured.toMillis() + " ms");
            return configured;
        });
    }

    private List<Scheme<?>> served() {
        if (schemes.isEmpty()) {
            return Schemes.of(SnoScheme.NAME);
        }
        Map<String, Map<String, Object>> options = new HashMap<>();
        schemes.forEach((name, section) -> {
            Shown.require(
                    Schemes.names().contains(name), name, "must be one of " + String.join(", ", Schemes.names()), name);
            options.put(name, section.options());
        });
        return Schemes.configured(options);
    }

    /** The values of one key by scheme; schemes that leave it out are not in the map. */
    private <T> Map<String, T> configured(
            List<Scheme<?>> served, Function<SchemeSection, Optional<T>> key, BiFunction<Scheme<?>, T, T> require) {
        Map<String, T> values = new HashMap<>();
        for (Scheme<?> scheme : served) {
            Optional.ofNullable(schemes.get(scheme.name()))
                    .flatMap(key)
                    .map(value -> in(SCHEMES, () -> require.apply(scheme, value)))
                    .ifPresent(value -> values.put(scheme.name(), value));
        }
        return values;
    }

    /** Puts the section's name before the key of a {@link BadValueException}, and the key into Spring's own form. */
    private static <T> T in(String section, Supplier<T> value) {
        try {
            return value.get();
        } catch (BadValueException e) {
            throw new BadValueException(canonical(section + "." + e.key()), e.rule(), e);
        }
    }

    /** {@code maxClockSkew} as {@code max-clock-skew}. A configuration may have either. */
    static String canonical(String key) {
        return UPPER_CASE.matcher(key).replaceAll(letter -> "-" + letter.group().toLowerCase(Locale.ROOT));
    }
}
