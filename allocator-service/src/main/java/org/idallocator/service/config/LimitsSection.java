package org.idallocator.service.config;

import io.dropwizard.util.Duration;
import java.util.OptionalInt;
import org.idallocator.service.draw.Limits;
import org.idallocator.zk.settings.Mistakes;
import org.jspecify.annotations.Nullable;

/** {@code limits}: how much is done at a time over HTTP. */
public final class LimitsSection {
    private static final String KEY = "limits";
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

    /** The limits; throws {@link IllegalArgumentException} naming each bad value and what is allowed. */
    public Limits limits() {
        Mistakes mistakes = new Mistakes();
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
        mistakes.throwIfAny();
        return new Limits(
                streams, waiting, readings, requests == null ? OptionalInt.empty() : OptionalInt.of(requests), longest);
    }

    private static void require(Mistakes mistakes, String key, int value) {
        mistakes.require(
                value >= 1 && value <= Limits.MOST, KEY + "." + key, () -> "must be 1.." + Limits.MOST + ": " + value);
    }
}
