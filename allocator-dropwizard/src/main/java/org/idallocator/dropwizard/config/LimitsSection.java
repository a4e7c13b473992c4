package org.idallocator.dropwizard.config;

import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.util.Duration;
import io.dropwizard.validation.DurationRange;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.hibernate.validator.constraints.Range;
import org.idallocator.core.id.BadValueException;
import org.idallocator.dropwizard.ids.Limits;
import org.jspecify.annotations.Nullable;

/** {@code limits}: how much is done at a time over HTTP. */
public final class LimitsSection {
    private static final String ALLOWED = "must be 1.." + Limits.MAX_LIMIT + ": ${validatedValue}";

    /** Dropwizard's default of {@code server.maxThreads}. */
    private static final int USUAL_THREADS = 1_024;

    @Key
    @Range(min = 1, max = Limits.MAX_LIMIT, message = ALLOWED)
    private @Nullable Integer streams;

    @Key
    @Range(min = 1, max = Limits.MAX_LIMIT, message = ALLOWED)
    private @Nullable Integer requests;

    @Key
    @Range(min = 1, max = Limits.MAX_LIMIT, message = ALLOWED)
    private @Nullable Integer bodies;

    @Key
    @Range(
            min = 1,
            max = Limits.MAX_CONNECTIONS,
            message = "must be 1.." + Limits.MAX_CONNECTIONS + ": ${validatedValue}")
    private @Nullable Integer connections;

    @Key
    @Range(min = 1, max = Limits.MAX_LIMIT, message = ALLOWED)
    private @Nullable Integer fields;

    @Key
    @DurationRange(
            min = 1,
            max = 3_600_000,
            unit = TimeUnit.MILLISECONDS,
            message = "must be 1ms..1h: ${validatedValue}")
    private Duration longestBatch = ZooKeeperSection.toDropwizard(Limits.LONGEST_BATCH);

    /**
     * The limits of a program on its server. Connectors and health checks need some of the server's threads. A server
     * of a factory that is not Dropwizard's counts as having Dropwizard's default number of threads.
     *
     * @throws BadValueException when {@code requests} leaves no thread for connectors and health checks
     */
    public Limits limits(ServerFactory server) {
        int threads = server instanceof AbstractServerFactory made ? made.getMaxThreads() : USUAL_THREADS;
        if (requests != null && requests >= threads) {
            throw new BadValueException(
                    "limits.requests",
                    "must be less where server.maxThreads is " + threads
                            + ", because connectors and health checks need threads, too: " + requests);
        }
        Limits usual = Limits.usual(Runtime.getRuntime().maxMemory(), threads);
        int inAll = Objects.requireNonNullElse(requests, usual.requests());
        return new Limits(
                Objects.requireNonNullElse(streams, Limits.usualStreams(inAll)),
                inAll,
                ZooKeeperSection.toJava(longestBatch),
                Objects.requireNonNullElse(bodies, usual.bodies()),
                Objects.requireNonNullElse(connections, usual.connections()),
                Objects.requireNonNullElse(fields, usual.fields()));
    }

    /**
     * Refuses the keys that only handlers in front of the service's routes can enforce.
     *
     * @throws BadValueException naming the first of these keys that is set
     */
    void requireNoKeysOfTheService() {
        requireUnset("requests", requests);
        requireUnset("bodies", bodies);
        requireUnset("connections", connections);
        requireUnset("fields", fields);
    }

    private static void requireUnset(String key, @Nullable Integer value) {
        if (value != null) {
            throw new BadValueException(
                    "limits." + key,
                    "is for the service alone: leave it out, because nothing would hold it in front of what is yours");
        }
    }
}
