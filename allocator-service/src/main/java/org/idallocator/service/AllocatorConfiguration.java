package org.idallocator.service;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import io.dropwizard.validation.selfvalidating.SelfValidating;
import io.dropwizard.validation.selfvalidating.SelfValidation;
import io.dropwizard.validation.selfvalidating.ViolationCollector;
import jakarta.validation.Valid;
import java.util.regex.Pattern;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.config.Checks;
import org.idallocator.dropwizard.config.Key;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.dropwizard.logging.QuietLoggers;
import org.idallocator.service.server.HealthResponder;

/** The service's configuration file: Dropwizard's sections, and {@code allocator}. */
@SelfValidating
@JsonDeserialize(converter = AllocatorConfiguration.Completion.class)
public final class AllocatorConfiguration extends Configuration {

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[?::1]?");

    /** Refuses a server on which whoever reaches the application port could read the admin port. */
    private static final String ONE_PORT =
            "simple has the admin pages on the application's own port, and whoever reaches that reads where replicas run;"
                    + " write type: default, or bindHost: 127.0.0.1 for its connector";

    @Key
    @Valid
    private AllocatorSection allocator = new AllocatorSection();

    public AllocatorSection allocator() {
        return allocator;
    }

    /** Checks the section against the server. */
    @SelfValidation
    public void validate(ViolationCollector violations) {
        Checks.report(() -> Checks.in("allocator", () -> allocator.limits().limits(getServerFactory())), violations);
        if (getServerFactory() instanceof SimpleServerFactory both && !isOfThisMachine(both.getConnector())) {
            violations.addViolation("server.type", ONE_PORT);
        }
    }

    private static boolean isOfThisMachine(ConnectorFactory factory) {
        return factory instanceof HttpConnectorFactory connector
                && LOOPBACK.matcher(String.valueOf(connector.getBindHost())).matches();
    }

    /** Adds what the service has besides what its file says: {@link QuietLoggers}, and the allocator's checks. */
    private void complete() {
        if (getLoggingFactory() instanceof DefaultLoggingFactory logging) {
            QuietLoggers.addTo(logging);
        }
        HealthFactory health = getHealthFactory().orElseGet(DefaultHealthFactory::new);
        if (health instanceof DefaultHealthFactory checks) {
            HealthResponder.addTo(checks); // first, because it looks at the provider that the next line replaces
            HealthSetup.configure(checks, allocator.schemeNames());
        }
        setHealthFactory(health);
    }

    /**
     * Completes a configuration once all sections of its file are read, in whatever order they came: the checks follow
     * from the schemes. Dropwizard takes the logging from it before anything else of the service runs, and the health
     * checks before the application does.
     */
    static final class Completion extends StdConverter<AllocatorConfiguration, AllocatorConfiguration> {
        @Override
        public AllocatorConfiguration convert(AllocatorConfiguration read) {
            read.complete();
            return read;
        }
    }
}
