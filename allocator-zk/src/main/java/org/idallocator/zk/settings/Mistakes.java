package org.idallocator.zk.settings;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Collects what is wrong with settings. Not thread-safe. */
public final class Mistakes {
    private final Set<String> found = new LinkedHashSet<>();

    /** Notes a mistake: one sentence that begins with the key. */
    public void add(String mistake) {
        found.add(mistake);
    }

    /** Notes a mistake unless a condition holds; returns whether it holds. */
    public boolean require(boolean condition, Supplier<String> mistake) {
        if (!condition) {
            add(mistake.get());
        }
        return condition;
    }

    /** A value; empty when its maker throws {@link IllegalArgumentException}, whose mistakes are noted. */
    public <T> Optional<T> attempt(Supplier<T> maker) {
        return attempt("", maker);
    }

    /** The same for a maker that names its keys without what is above them, such as {@code schemes.}, which is put in front. */
    public <T> Optional<T> attempt(String above, Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (IllegalArgumentException e) {
            of(e).forEach(mistake -> add(above + mistake));
            return Optional.empty();
        }
    }

    /** Throws {@link InvalidSettingsException} with all that was noted; does nothing when nothing was. */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidSettingsException(new ArrayList<>(found));
        }
    }

    /** The mistakes that an exception tells, one or more. */
    public static List<String> of(IllegalArgumentException e) {
        return e instanceof InvalidSettingsException settings
                ? settings.mistakes()
                : List.of(String.valueOf(e.getMessage()));
    }
}
