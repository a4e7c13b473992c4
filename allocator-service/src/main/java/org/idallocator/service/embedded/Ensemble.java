package org.idallocator.service.embedded;

import java.util.Optional;
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
        AllocatorSettings settings = section.settings();
        if (!section.embedded().enabled()) {
            return new Ensemble(settings, Optional.empty());
        }
        EmbeddedZooKeeper embedded = EmbeddedZooKeeper.start(
                section.embedded().dataDir(), section.embedded().port());
        return new Ensemble(section.settings(embedded.connect()), Optional.of(embedded));
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
