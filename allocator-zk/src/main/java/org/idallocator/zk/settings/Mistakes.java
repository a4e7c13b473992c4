package org.idallocator.zk.settings;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.idallocator.core.scheme.InvalidOptionException;

/** Collects what is wrong with settings. Not thread-safe. */
public final class Mistakes {
    private final Set<Mistake> found = new LinkedHashSet<>();

    /** Notes a mistake about a key; {@code what} goes on from the key, as in {@code must be positive: 0 ms}. */
    public void add(String key, String what) {
        found.add(Mistake.about(key, what));
    }

    /** Notes that a section does not have a key; {@code hint} says which keys there are. */
    public void addUnknown(String section, String name, String hint) {
        found.add(new Mistake(section + "." + name, section + " has no key " + name + "; " + hint, List.of()));
    }

    /** Notes a mistake as {@link #add} does, unless a condition holds; returns whether that holds. */
    public boolean require(boolean condition, String key, Supplier<String> what) {
        if (!condition) {
            add(key, what.get());
        }
        return condition;
    }

    /** The same, where the condition depends on the value of another key as well. */
    void requireBeside(String other, boolean condition, String key, Supplier<String> what) {
        if (!condition) {
            found.add(new Mistake(key, key + " " + what.get(), List.of(other)));
        }
    }

    /** A value; empty when its maker throws {@link IllegalArgumentException}, whose mistakes are noted. */
    public <T> Optional<T> attempt(Supplier<T> maker) {
        return attempt("", maker);
    }

    /** The same for a maker of one key's value; an exception that names no key is about that one. */
    public <T> Optional<T> attempt(String key, Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (IllegalArgumentException e) {
            found.addAll(told(e, key));
            return Optional.empty();
        }
    }

    /** Notes what was found wrong with a section of these settings, such as {@code schemes}. */
    public void addAll(String section, Mistakes ofSection) {
        ofSection.found.forEach(each -> found.add(each.in(section)));
    }

    /** Throws {@link InvalidSettingsException} with all that was noted; does nothing when nothing was. */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidSettingsException(List.copyOf(found));
        }
    }

    /** The sentences of the mistakes that an exception tells, one or more. */
    public static List<String> of(IllegalArgumentException e) {
        return told(e, "").stream().map(Mistake::sentence).toList();
    }

    /** {@code key} is what an exception is about that names no key. */
    private static List<Mistake> told(IllegalArgumentException e, String key) {
        if (e instanceof InvalidSettingsException settings) {
            return settings.details();
        }
        String named = e instanceof InvalidOptionException option ? option.key() : key;
        return List.of(new Mistake(named, String.valueOf(e.getMessage()), List.of()));
    }
}
