package org.idallocator.dropwizard.api;

import org.idallocator.zk.operator.Revocation;

/**
 * What a revocation means for those who asked for it. Over HTTP it succeeds where it changed the slot, and is answered
 * with the slot as changed: whoever asks looks at a list of leases, and is told when that was too old. The command
 * succeeds where the tenure has left the slot, however it left: a command whose answer was lost is called again.
 *
 * @param changed whether the revocation changed the slot; else a conflict over HTTP
 * @param left whether the tenure has left the slot, now or before; else a failure of the command
 * @param detail what came of it, over HTTP
 * @param line the same at the command line
 */
public record RevocationReport(boolean changed, boolean left, String detail, String line) {

    /** The report on a request to revoke the lease of the tenure of this nonce. */
    public static RevocationReport of(Revocation revocation, String nonce) {
        return switch (revocation) {
            case DONE -> told(true, true, "taken away from tenure " + nonce);
            case GONE_ALREADY -> told(false, true, "tenure " + nonce + " had left the slot already");
            case NOT_ITS_OWN ->
                told(false, false, "nobody holds the slot, and tenure " + nonce + " was not the last to hold it");
            case HELD_BY_ANOTHER -> {
                String other = "the slot is held by another tenure than " + nonce;
                yield new RevocationReport(false, false, other, other + "; it was left alone");
            }
        };
    }

    /** A report that has the same words everywhere. */
    private static RevocationReport told(boolean changed, boolean left, String words) {
        return new RevocationReport(changed, left, words, words);
    }
}
