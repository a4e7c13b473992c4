package org.idallocator.core.testing.crac;

/** Why a process goes on badly after a checkpoint: what was thrown is suppressed in it. */
public final class RestoreException extends Exception {
    private static final long serialVersionUID = 1L;
}
