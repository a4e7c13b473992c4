package org.idallocator.core.testing.crac;

/** What is told of checkpoints, by the names that {@code org.crac} looks for. */
public interface Resource {
    void beforeCheckpoint(Context context) throws Exception;

    void afterRestore(Context context) throws Exception;
}
