package org.idallocator.core.testing.crac;

/** Why there was no checkpoint: what was thrown is suppressed in it. */
public final class CheckpointException extends Exception {
    private static final long serialVersionUID = 1L;
}
