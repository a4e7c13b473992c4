package org.idallocator.service.embedded;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.zk.AllocatorSettings;

/** The ZooKeeper that a configuration names: one that runs elsewhere, or the embedded one, which then runs until closed. */
public final class Ensemble implements AutoCloseable {
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
        return new Ensemble(section.settings(embedded.connect()), Optional.of(embedded));
    }

    /** What the allocator needs to know, with the address to connect to. */
    public AllocatorSettings settings() {
        return settings;
    }

    /** Whether this made the place for an embedded one's data: see {@link EmbeddedZooKeeper#madeDirectory}. */
    public boolean madeDirectory() {
        return embedded.filter(EmbeddedZooKeeper::madeDirectory).isPresent();
    }

    @Override
    public void close() {
        embedded.ifPresent(EmbeddedZooKeeper::close);
    }
}
