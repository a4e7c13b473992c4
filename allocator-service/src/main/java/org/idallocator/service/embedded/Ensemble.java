package org.idallocator.service.embedded;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ZooKeeper that a configuration names: one that runs elsewhere, or the embedded one, which then runs until closed. */
public final class Ensemble implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Ensemble.class);

    private final AllocatorSettings settings;
    private final Optional<EmbeddedZooKeeper> embedded;

    private Ensemble(AllocatorSettings settings, Optional<EmbeddedZooKeeper> embedded) {
        this.settings = settings;
        this.embedded = embedded;
    }

    /**
     * Checks the whole configuration before it starts anything.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed
     * @throws EmbeddedStartException when the embedded one cannot start
     */
    public static Ensemble of(AllocatorSection section) {
        return open(section, EmbeddedZooKeeper::start);
    }

    /**
     * The same for those that only look: an embedded one must hold data already.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed
     * @throws EmbeddedStartException when the embedded one cannot start, or no service has run on it; nothing is made then
     */
    public static Ensemble existing(AllocatorSection section) {
        return open(section, EmbeddedZooKeeper::startOnExisting);
    }

    private static Ensemble open(AllocatorSection section, BiFunction<Path, Integer, EmbeddedZooKeeper> start) {
        AllocatorSettings settings = section.settings();
        if (!section.embedded().enabled()) {
            return new Ensemble(settings, Optional.empty());
        }
        EmbeddedZooKeeper embedded =
                start.apply(section.embedded().dataDir(), section.embedded().port());
        Ensemble ensemble = new Ensemble(settings.withConnect(embedded.connect()), Optional.of(embedded));
        if (embedded.madeDirectory()) {
            ensemble.promiseNewRoot();
        }
        return ensemble;
    }

    /** No replica of a root can run anywhere whose ZooKeeper has just been made. Where it cannot be told, replicas wait. */
    private void promiseNewRoot() {
        try {
            FirstStart.withoutWaiting(settings);
        } catch (UnreachableException e) {
            LOG.warn("the embedded ZooKeeper did not take the new root; the first IDs come later", e);
        }
    }

    /** What the allocator needs to know, with the address to connect to. */
    public AllocatorSettings settings() {
        return settings;
    }

    @Override
    public void close() {
        embedded.ifPresent(EmbeddedZooKeeper::close);
    }
}
