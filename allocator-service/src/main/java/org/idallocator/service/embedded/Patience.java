package org.idallocator.service.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.idallocator.core.clock.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait for a process that has a directory and whose ZooKeeper does not answer yet: how long it lasts, and what people hear
 * of it, after a moment and then every few seconds. Not thread-safe.
 */
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    /** A process on another machine cannot be reached, however long one waits: this is for one that starts on this machine. */
    private static final Duration ELSEWHERE = Duration.ofSeconds(3);

    /** A process that starts takes about as long. */
    private static final Duration FIRST = Duration.ofMillis(500);

    private static final Duration PERIOD = Duration.ofSeconds(4);

    private final DataDirectory directory;
    private final Duration longest;
    private final Clock clock;
    private final Consumer<String> people;
    private final long begunNanos;
    private Duration due = FIRST;

    /** Begins to wait, for {@code longest} at most. {@code people} are told a line at a time. */
    Patience(DataDirectory directory, Duration longest, Clock clock, Consumer<String> people) {
        this.directory = directory;
        this.longest = longest;
        this.clock = clock;
        this.people = people;
        this.begunNanos = clock.nanos();
    }

    /** Still waiting; throws {@link EmbeddedStartException}, saying for whom, when it has been long enough. */
    void goesOn(DirectoryInUseException cause) {
        Duration waited = Duration.ofNanos(clock.nanos() - begunNanos);
        Optional<Address> told = told();
        Optional<Address> elsewhere = told.filter(address -> !address.onThisMachine());
        if (elsewhere.isPresent() && waited.compareTo(ELSEWHERE) >= 0) {
            throw new EmbeddedStartException(
                    directory + " is in use on " + elsewhere.get().host() + ", by process "
                            + elsewhere.get().pid()
                            + ", and its ZooKeeper serves that machine alone; name another directory, or for several machines"
                            + " one ensemble (zookeeper.connect)",
                    cause);
        }
        if (waited.compareTo(longest) >= 0) {
            throw new EmbeddedStartException(
                    inUse(told, "did") + " within " + longest.toSeconds()
                            + " s; stop that process, or name another directory",
                    cause);
        }
        if (waited.compareTo(due) >= 0) {
            due = waited.plus(PERIOD);
            Duration left = (elsewhere.isPresent() ? ELSEWHERE : longest).minus(waited);
            people.accept(inUse(told, "does") + " yet; waiting for " + (left.toSeconds() + 1) + " s more at most");
        }
    }

    private String inUse(Optional<Address> told, String does) {
        return directory + " is in use by "
                + told.map(address -> "process " + address.pid() + ", whose ZooKeeper on " + address.connect() + " "
                                + does + " not answer")
                        .orElse("another process, which " + does + " not say where its ZooKeeper serves");
    }

    private Optional<Address> told() {
        try {
            return JsonFile.read(directory.address(), Address.class);
        } catch (IOException e) {
            LOG.debug("{} cannot be read", directory.address(), e);
            return Optional.empty();
        }
    }
}
