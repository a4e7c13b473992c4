package org.idallocator.service.cli.leases;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What {@code leases} can do. */
public enum Action {
    LIST,
    SHOW,
    MEMBERS,
    RELEASE,
    RETIRE,
    UNRETIRE,
    RELAYOUT;

    /** The words for all of them, in order. */
    public static List<String> words() {
        return Arrays.stream(values()).map(Action::toString).toList();
    }

    /** The action of one of {@link #words}. */
    public static Action of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Whether a call has to name a scheme. */
    boolean needsScheme() {
        return this != LIST && this != MEMBERS;
    }

    /** Whether a call has to name a slot. */
    boolean needsSlot() {
        return this == RELEASE || this == RETIRE || this == UNRETIRE;
    }

    /** Whether a call may name a scheme. */
    public boolean takesScheme() {
        return this != MEMBERS;
    }

    /** Whether a call may name a slot. */
    public boolean takesSlot() {
        return needsSlot() || this == SHOW;
    }

    /** Whether it only looks, and changes nothing. */
    public boolean looks() {
        return this == LIST || this == SHOW || this == MEMBERS;
    }

    /** Whether a person is asked before it is done. */
    public boolean asks() {
        return this == RETIRE || this == UNRETIRE;
    }

    /** The word that a person writes. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
