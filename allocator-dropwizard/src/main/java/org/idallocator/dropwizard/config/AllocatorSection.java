package org.idallocator.dropwizard.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.dropwizard.util.Duration;
import io.dropwizard.validation.selfvalidating.SelfValidating;
import io.dropwizard.validation.selfvalidating.SelfValidation;
import io.dropwizard.validation.selfvalidating.ViolationCollector;
import jakarta.validation.Valid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.ids.MaxCounts;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * The allocator's section of a configuration file; {@code docs/operations.md} has a table of all its keys. A program
 * annotates its field with {@link Valid}, so that bad values are reported when the file is read.
 */
@SelfValidating
public final class AllocatorSection {
    /** Settings on which each value is tried by itself. */
    private static final AllocatorSettings PERMISSIVE =
            AllocatorSettings.of(List.of(), ZooKeeperSettings.of("localhost"));

    @Key
    @Valid
    private ZooKeeperSection zookeeper = new ZooKeeperSection();

    @Key
    private Duration window = ZooKeeperSection.toDropwizard(Terms.WINDOW.usual());

    @Key
    private Duration maxClockSkew = ZooKeeperSection.toDropwizard(Terms.MAX_CLOCK_SKEW.usual());

    @Key
    private Duration maxWait = ZooKeeperSection.toDropwizard(AllocatorSettings.MAX_WAIT.usual());

    @Key
    private String instance = "";

    @Key
    private String url = "";

    @Key
    private CorsSection cors = new CorsSection();

    @Key
    @Valid
    private LimitsSection limits = new LimitsSection();

    @Key
    private AdminSection admin = new AdminSection();

    @Key
    private boolean tellWhereabouts = false;

    @JsonProperty
    @JsonSetter(nulls = Nulls.SKIP, contentNulls = Nulls.AS_EMPTY)
    private Map<String, SchemeSection> schemes =
            Schemes.names().stream().collect(Collectors.toMap(name -> name, name -> new SchemeSection()));

    public EmbeddedSection embedded() {
        return zookeeper.embedded();
    }

    /**
     * The schemes to serve, in the order of {@link Schemes#all}.
     *
     * @throws BadValueException naming the first bad value and what is allowed
     */
    public List<Scheme<?>> schemes() {
        List<String> names = Schemes.names();
        if (schemes.isEmpty()) {
            throw new BadValueException(
                    "schemes", "must have one of " + String.join(", ", names) + ", or be left out: it is empty");
        }
        return schemes.entrySet().stream()
                .<Scheme<?>>map(each -> each.getValue().scheme(each.getKey()))
                .sorted(Comparator.comparingInt(scheme -> names.indexOf(scheme.name())))
                .toList();
    }

    /** The names of the schemes to serve, in the order of {@link Schemes#all}; those of bad ones, too. */
    public List<String> schemeNames() {
        return schemes.keySet().stream()
                .sorted(Comparator.comparingInt(Schemes.names()::indexOf))
                .toList();
    }

    /** The largest count of one request over HTTP, for each scheme; throws as {@link #schemes} does. */
    public MaxCounts counts() {
        return new MaxCounts(configured(SchemeSection::maxCount));
    }

    /** The values of one key by scheme; schemes whose section leaves out the key are not in the map. */
    private <T> Map<String, T> configured(BiFunction<SchemeSection, Scheme<?>, Optional<T>> value) {
        Map<String, T> configured = new HashMap<>();
        schemes.forEach((name, section) ->
                value.apply(section, section.scheme(name)).ifPresent(each -> configured.put(name, each)));
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

    /**
     * Whether the application port tells where replicas run: names, hosts, process IDs, addresses, sessions and
     * tenures.
     */
    public Visibility visibility() {
        return new Visibility(tellWhereabouts);
    }

    /** {@code admin}: who may change anything on the admin port. */
    public AdminSection admin() {
        return admin;
    }

    /**
     * The settings of this section. With an embedded ZooKeeper, they lack the address, which is known only when that
     * runs.
     *
     * @throws BadValueException naming the first bad value and what is allowed
     */
    public AllocatorSettings settings() {
        return new AllocatorSettings(
                schemes(),
                zookeeper.settings(),
                ZooKeeperSection.toJava(window),
                ZooKeeperSection.toJava(maxClockSkew),
                ZooKeeperSection.toJava(maxWait),
                Replica.named(instance.isBlank() ? Replica.local().instance() : instance, url),
                configured(SchemeSection::leases),
                configured(SchemeSection::window));
    }

    /**
     * Refuses the keys that only handlers in front of the service's routes can enforce. A program other than the
     * service has no such handlers.
     *
     * @throws BadValueException naming the first of these keys that is set
     */
    public void requireNoKeysOfTheService() {
        if (!cors.origins().isEmpty()) {
            throw new BadValueException(
                    "cors",
                    "is for the service alone: leave it out, and put Jetty's CrossOriginHandler in front of what is yours");
        }
        limits.requireNoKeysOfTheService();
    }

    /** Reports every bad value, by its key. */
    @SelfValidation
    public void validate(ViolationCollector violations) {
        checks().forEach(check -> Checks.report(check, violations));
        zookeeper.checks().forEach(check -> Checks.report(check, violations));
        schemes.forEach((name, section) -> {
            Checks.report(() -> section.maxCount(section.scheme(name)), violations);
            Checks.report(() -> section.leases(section.scheme(name)), violations);
            Checks.report(() -> section.window(section.scheme(name)), violations);
        });
    }

    /** Checks of each setting by itself. */
    private List<Supplier<?>> checks() {
        return List.of(
                this::schemes,
                () -> PERMISSIVE.withMaxClockSkew(ZooKeeperSection.toJava(maxClockSkew)),
                () -> PERMISSIVE.withMaxWait(ZooKeeperSection.toJava(maxWait)),
                () -> PERMISSIVE.withWindow(ZooKeeperSection.toJava(window)),
                () -> PERMISSIVE.withReplica(new Replica(instance.isBlank() ? "any" : instance, "", 0, "")),
                () -> PERMISSIVE.withReplica(new Replica("any", "", 0, url)),
                cors::origins,
                admin::currentToken,
                admin::hosts);
    }
}
