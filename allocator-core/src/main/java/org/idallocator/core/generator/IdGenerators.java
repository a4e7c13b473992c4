package org.idallocator.core.generator;

import org.idallocator.core.id.Id;

/**
 * The generators of a program, by the type of their IDs: what an adapter, such as one for a container or for an
 * object-relational mapper, asks for. An {@code IdAllocator} is one; {@code LocalIds.generators} gives one without
 * ZooKeeper, and {@code TestIds.all} one for tests. Thread-safe.
 *
 * <pre>{@code
 * IdGenerators generators = LocalIds.onSystemClock().generators(7);
 * Sno order = generators.of(Sno.class).next();
 * LogId log = generators.of(LogId.class).next();
 * }</pre>
 */
public interface IdGenerators {

    /**
     * The generator of a type of ID. All that are given for IDs of one scheme queue together, and none of them repeats
     * an ID of another.
     *
     * @param type {@code Sno}, {@code Muid}, {@code EightByteId}, {@code Uid60}, {@code Gid}, {@code VolumeId},
     *     {@code LogId} or {@code SegmentId}
     * @throws IllegalArgumentException for another type, and for a type whose scheme is not served: the message says
     *     what there is
     */
    <T extends Id> IdGenerator<T> of(Class<T> type);
}
