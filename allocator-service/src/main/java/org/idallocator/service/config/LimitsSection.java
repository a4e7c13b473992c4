package org.idallocator.service.config;

import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.util.Duration;
import java.util.Objects;
import org.idallocator.service.draw.Limits;
import org.idallocator.zk.settings.Mistakes;
import org.jspecify.annotations.Nullable;

/** {@code limits}: how much is done at a time over HTTP. */
public final class LimitsSection {
    private static final String KEY = "limits";
    private static final String REQUESTS = KEY + ".requests";
    private static final java.time.Duration LONGEST = java.time.Duration.ofHours(1);

    @Key
    private int streams = Limits.DEFAULT.streams();

    @Key
    private int waiting = Limits.DEFAULT.waiting();

    @Key
    private int readings = Limits.DEFAULT.readings();

    @Key
    private @Nullable Integer requests;

    @Key
    private Duration longestBatch =
            Duration.milliseconds(Limits.DEFAULT.longestBatch().toMillis());

    /** Notes each bad value, and what is allowed, as far as that can be told without the server. */
    void check(Mistakes mistakes) {
        require(mistakes, "streams", streams);
        require(mistakes, "waiting", waiting);
        require(mistakes, "readings", readings);
        if (requests != null) {
            require(mistakes, "requests", requests);
        }
        java.time.Duration longest = ZooKeeperSection.java(longestBatch);
        mistakes.require(
                longest.toMillis() >= 1 && longest.compareTo(LONGEST) <= 0,
                KEY + ".longestBatch",
                () -> "must be 1ms..1h: " + longestBatch);
    }

    /**
     * The limits of a program on its server, whose threads are not all for requests.
     *
     * @throws IllegalArgumentException naming each bad value and what is allowed
     */
    public Limits limits(ServerFactory server) {
        Mistakes mistakes = new Mistakes();
        check(mistakes);
        ServerThreads threads = ServerThreads.of(server);
        int usual = Math.min(threads.most() - threads.most() / 4, threads.forRequests());
        int most = Objects.requireNonNullElse(requests, usual);
        mistakes.require(
                most <= threads.forRequests(),
                REQUESTS,
                () -> "must be 1.." + threads.forRequests() + " where server.maxThreads is " + threads.most()
                        + ", because connectors and health checks need " + threads.reserved() + " threads: " + most);
        mistakes.throwIfAny();
        return new Limits(streams, waiting, readings, most, ZooKeeperSection.java(longestBatch));
    }

    private static void require(Mistakes mistakes, String key, int value) {
        mistakes.require(
                value >= 1 && value <= Limits.MOST, KEY + "." + key, () -> "must be 1.." + Limits.MOST + ": " + value);
    }
}
