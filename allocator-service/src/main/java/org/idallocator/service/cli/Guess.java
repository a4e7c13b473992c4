package org.idallocator.service.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.api.IdReader;
import org.idallocator.service.api.Inspection;
import org.jspecify.annotations.Nullable;

/** What a text says in each of the schemes that it can be an ID of. */
final class Guess {
    private Guess() {}

    /** At least one; throws {@link CommandException} for a text that is no ID of any of the schemes. */
    static List<Inspection> readings(List<Scheme<?>> schemes, String text, Optional<String> form) {
        List<Inspection> readings = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        for (Scheme<?> scheme : schemes) {
            Inspection reading = reading(scheme, text, form, refusals);
            if (reading != null) {
                readings.add(reading);
            }
        }
        if (readings.isEmpty()) {
            throw new CommandException("not an ID: " + text + " (" + String.join("; ", refusals) + ")");
        }
        return readings;
    }

    private static <T extends Id> @Nullable Inspection reading(
            Scheme<T> scheme, String text, Optional<String> form, List<String> refusals) {
        try {
            return Inspection.of(scheme, IdReader.read(scheme, text, form), null);
        } catch (IllegalArgumentException e) {
            refusals.add(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
