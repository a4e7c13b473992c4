package org.idallocator.zk.simulation;

import java.util.List;
import java.util.Map;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * The configuration of a replica, or an operator, of a {@link Simulation}: the same schemes for all, perhaps cut
 * otherwise.
 */
record Configuration(List<Scheme<?>> schemes, Terms terms) {

    AllocatorSettings settings(String instance) {
        return new AllocatorSettings(
                schemes,
                ZooKeeperSettings.of("simulated:2181").withRoot("/ids").withSessionTimeout(terms.sessionTimeout()),
                terms.window(),
                terms.maxClockSkew(),
                terms.sessionTimeout(),
                new Replica(instance, "host", 1, ""),
                Map.of(),
                Map.of());
    }

    Configuration with(Terms others) {
        return new Configuration(schemes, others);
    }

    /** The same with this scheme in the place of the one that has its name. */
    Configuration with(Scheme<?> other) {
        List<Scheme<?>> all = schemes.stream()
                .<Scheme<?>>map(scheme -> scheme.name().equals(other.name()) ? other : scheme)
                .toList();
        return new Configuration(all, terms);
    }
}
