package org.idallocator.core.id;

import java.util.Comparator;
import java.util.function.Function;

/**
 * A row in a table of ways to sort IDs, and what each is worth.
 *
 * @param name of what is compared
 * @param asIds whether it sorts every two IDs as they do themselves
 * @param byTime whether it puts the earlier of every two IDs first
 */
record Sorting<T>(String name, Comparator<T> order, boolean asIds, boolean byTime) {

    static <T, K extends Comparable<K>> Sorting<T> by(String name, Function<T, K> key, boolean asIds, boolean byTime) {
        return new Sorting<>(name, Comparator.comparing(key), asIds, byTime);
    }

    @Override
    public String toString() {
        return name;
    }
}
