package org.idallocator.core.id;

import java.io.Serializable;

/**
 * An ID that programs sort.
 *
 * @param <T> the type itself
 */
@SuppressWarnings("ComparableType") // T is the implementing type itself
interface Ordered<T extends Id> extends Id, Comparable<T>, Serializable {

    /** Compares the unsigned bytes; the page of the type says whether that is the order of time. */
    @Override
    default int compareTo(T other) {
        int upper = Long.compareUnsigned(high(), other.high());
        return upper != 0 ? upper : Long.compareUnsigned(low(), other.low());
    }
}
