package org.idallocator.service.resources;

import jakarta.ws.rs.NotFoundException;
import java.util.List;
import org.idallocator.core.scheme.Scheme;

/** Finds schemes by the names in paths. */
final class ServedSchemes {
    private final List<Scheme<?>> schemes;

    ServedSchemes(List<Scheme<?>> schemes) {
        this.schemes = schemes;
    }

    List<Scheme<?>> all() {
        return schemes;
    }

    Scheme<?> named(String name) {
        return schemes.stream()
                .filter(scheme -> scheme.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NotFoundException("unknown scheme " + name + "; known are "
                        + String.join(", ", schemes.stream().map(Scheme::name).toList())));
    }
}
