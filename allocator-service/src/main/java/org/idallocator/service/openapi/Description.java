package org.idallocator.service.openapi;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Counts;
import org.jspecify.annotations.Nullable;

/**
 * The description of the routes as an OpenAPI 3.1 document. It is made when somebody asks for the first time, so that no start waits
 * for its library, and kept for those who ask at the same address. Thread-safe.
 */
public final class Description {
    private final List<Scheme<?>> schemes;
    private final Counts counts;
    private volatile @Nullable Made last;

    /** Describes the routes of some schemes, with the largest counts of requests. */
    public Description(List<Scheme<?>> schemes, Counts counts) {
        this.schemes = List.copyOf(schemes);
        this.counts = counts;
    }

    /**
     * The document as one line of JSON.
     *
     * @param base what comes before the paths of the routes, as the client has it: {@code http://localhost:8080/}
     * @param health where the health checks are asked, as the client has it; empty where nobody can
     */
    public byte[] json(URI base, Optional<URI> health) {
        Made made = last;
        if (made == null || !made.base.equals(base) || !made.health.equals(health)) {
            made = new Made(base, health, new Document(base, health, schemes, counts).json());
            last = made;
        }
        return made.json.clone();
    }

    private static final class Made {
        private final URI base;
        private final Optional<URI> health;
        private final byte[] json;

        Made(URI base, Optional<URI> health, byte[] json) {
            this.base = base;
            this.health = health;
            this.json = json;
        }
    }
}
