package org.idallocator.service.testing;

import java.util.regex.Pattern;
import org.idallocator.core.testing.Proof;

/** What commands say on standard error where a machine is busy with other things. */
public final class BusyMachine {
    private static final Pattern WAITING = Pattern.compile("(?m)^waiting for .*\\R");

    /** A slot takes less than a second to give back on a machine that is free. */
    private static final Pattern LATE =
            Pattern.compile("(?m)^ZooKeeper does not answer: slot [0-9]+ of [a-z0-9]+ is not released, .*\\R");

    private BusyMachine() {}

    /** The same without the lines that say so; the proof holds against a command that it has not released its slot. */
    public static String forgiven(String said) {
        String without = WAITING.matcher(said).replaceAll("");
        return Proof.runs() ? without : LATE.matcher(without).replaceAll("");
    }
}
