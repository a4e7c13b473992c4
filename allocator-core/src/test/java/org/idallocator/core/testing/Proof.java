package org.idallocator.core.testing;

/**
 * Whether this is the proof, {@code mvn -B verify -Pproof}, or a build of minutes: the system property {@code proof}.
 */
public final class Proof {
    static final String PROPERTY = "proof";

    private Proof() {}

    /** Whether this is the proof; false also where nobody says, as in an editor. */
    public static boolean runs() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** The size of a test: its first in a build of minutes, its second in the proof. */
    public static <T> T size(T inMinutes, T inProof) {
        return runs() ? inProof : inMinutes;
    }
}
