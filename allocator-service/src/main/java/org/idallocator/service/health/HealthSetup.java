package org.idallocator.service.health;

import com.codahale.metrics.health.HealthCheck;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthCheckConfiguration;
import io.dropwizard.health.HealthCheckType;
import io.dropwizard.health.Schedule;
import io.dropwizard.util.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.IdSource;

/**
 * Dropwizard's {@code /health-check}: one critical check, {@code leases}, and one for each scheme with leases. They run
 * every quarter of a second, so a fence shows within a second, and start out as failed. One more, {@code lease-thread}, says
 * whether the process is alive at all, and starts out as passed.
 */
public final class HealthSetup {
    private static final String READINESS = "leases";
    private static final String LIVENESS = "lease-thread";
    private static final Duration INTERVAL = Duration.milliseconds(250);

    private HealthSetup() {}

    /** Adds the checks to what an operator configured, unless they are there. */
    public static void configure(DefaultHealthFactory factory, List<Scheme<?>> schemes) {
        List<HealthCheckConfiguration> own = factory.getHealthCheckConfigurations();
        List<String> known = own.stream().map(HealthCheckConfiguration::getName).toList();
        Stream<HealthCheckConfiguration> added = Stream.concat(
                        Stream.of(check(READINESS, true), liveness()),
                        leased(schemes).stream().map(scheme -> check(scheme.name(), false)))
                .filter(check -> !known.contains(check.getName()));
        factory.setHealthCheckConfigurations(Stream.concat(own.stream(), added).toList());
    }

    /**
     * Registers what runs at the health and the admin endpoint.
     *
     * @param sessionTimeout ZooKeeper's, on which depends how long a step of the lease thread may take
     */
    public static void register(HealthCheckRegistry checks, IdSource source, java.time.Duration sessionTimeout) {
        List<Scheme<?>> leased = leased(source.schemes());
        leased.forEach(scheme -> register(checks, scheme.name(), new SchemeCheck(source, scheme)));
        register(checks, READINESS, new Readiness(source, leased));
        register(checks, LIVENESS, new Liveness(source, sessionTimeout));
    }

    private static void register(HealthCheckRegistry checks, String name, HealthCheck check) {
        checks.register(name, new GuardedCheck(check));
    }

    private static List<Scheme<?>> leased(List<Scheme<?>> schemes) {
        return schemes.stream().filter(scheme -> scheme.pool().isPresent()).toList();
    }

    private static HealthCheckConfiguration check(String name, boolean critical) {
        HealthCheckConfiguration check = new HealthCheckConfiguration();
        check.setName(name);
        check.setCritical(critical);
        check.setInitialState(false);
        check.setSchedule(schedule());
        return check;
    }

    private static HealthCheckConfiguration liveness() {
        HealthCheckConfiguration check = check(LIVENESS, true);
        check.setType(HealthCheckType.ALIVE);
        check.setInitialState(true);
        return check;
    }

    private static Schedule schedule() {
        Schedule schedule = new Schedule();
        schedule.setInitialDelay(INTERVAL);
        schedule.setCheckInterval(INTERVAL);
        schedule.setDowntimeInterval(INTERVAL);
        schedule.setFailureAttempts(1);
        schedule.setSuccessAttempts(1);
        return schedule;
    }
}
