package org.idallocator.core.testing.crac;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

/**
 * Makes checkpoints in tests, where the system property {@code org.crac.Core.Compat} has the name of this package: all
 * are told, but no file is written. What a test does meanwhile stands for the time that the file lies there, and for
 * other processes that go on from it.
 */
public final class Core {
    private static final Context CONTEXT = new Context();
    private static volatile Runnable meanwhile = () -> {};

    private Core() {}

    public static Context getGlobalContext() {
        return CONTEXT;
    }

    /** What {@code org.crac.Core} calls. */
    public static void checkpointRestore() throws CheckpointException, RestoreException {
        CONTEXT.checkpoint(meanwhile);
    }

    /** Has a program make a checkpoint, while this is done. */
    public static synchronized void checkpoint(Runnable doing) {
        meanwhile = doing;
        try {
            assertDoesNotThrow(() -> org.crac.Core.checkpointRestore());
        } finally {
            meanwhile = () -> {};
        }
    }
}
