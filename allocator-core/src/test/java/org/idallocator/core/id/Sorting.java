package org.idallocator.core.id;

import java.util.Comparator;
import java.util.function.Function;

/**
 * A row in a table of ways to sort IDs, with the order that each gives.
 *
 * @param name what is compared
 * @param asIds whether every two IDs sort as {@code compareTo} sorts them
 * @param byTime whether the earlier of every two IDs sorts first
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
