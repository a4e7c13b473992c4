package org.idallocator.service.cli.leases;

import java.util.Optional;
import java.util.function.Predicate;
import org.idallocator.zk.operator.Holder;

/**
 * What a person is asked who retires a slot, and what a yes agrees to.
 *
 * @param question one line, without the question mark
 * @param agreed whether that person has agreed that this holder loses the slot; whoever comes after the question has not been
 *     agreed to
 */
public record Retiring(String question, Predicate<Holder> agreed) {

    /**
     * The question about a slot that {@code shown} holds.
     *
     * @param slot the slot, for people
     * @param nonce the only tenure that may lose the slot; empty for any
     */
    public static Retiring of(String slot, Holder shown, Optional<String> nonce) {
        Predicate<Holder> wanted = wanted(nonce);
        return new Retiring("retire " + slot + ", which " + loses(shown), now -> wanted.test(now) && now.isAs(shown));
    }

    /** Whom a call means that is not to be asked about. */
    public static Predicate<Holder> wanted(Optional<String> nonce) {
        return now -> nonce.isEmpty() || now.isTenure(nonce.get());
    }

    private static String loses(Holder shown) {
        return shown.equals(Holder.NOBODY) ? "nobody holds" : shown.inWords() + " holds and loses";
    }
}
