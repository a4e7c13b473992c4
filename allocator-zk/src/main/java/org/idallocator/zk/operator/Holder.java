package org.idallocator.zk.operator;

import java.util.Optional;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Znodes;

/** Who holds a slot, as far as ZooKeeper said so in time. */
public sealed interface Holder {
    /** A tenure holds the slot; {@code node} is its lease. */
    record Held(LeaseNode node) implements Holder {
        @Override
        public Optional<LeaseNode> lease() {
            return Optional.of(node);
        }

        @Override
        public boolean isAs(Holder before) {
            return before.isTenure(node.nonce());
        }

        @Override
        public String inWords() {
            return node.instance() + " on " + node.host() + " (tenure " + node.nonce() + ")";
        }
    }

    /** Nobody holds the slot. */
    record Nobody() implements Holder {
        @Override
        public String inWords() {
            return "nobody";
        }
    }

    /** It is not known who holds the slot; {@code why} is one sentence. */
    record Unknown(String why) implements Holder {
        @Override
        public Optional<String> unknown() {
            return Optional.of(why);
        }

        @Override
        public String inWords() {
            return "somebody unknown (" + why + ")";
        }
    }

    /** What the lease node says. */
    static Holder of(Znodes.Found<LeaseNode> lease) {
        return lease.readable()
                .<Holder>map(Held::new)
                .orElseGet(
                        () -> unknown(lease.fault().map(Throwable::getMessage).orElseThrow()));
    }

    /** Nobody holds the slot. */
    static Holder nobody() {
        return new Nobody();
    }

    /** It is not known who holds the slot; {@code why} is one sentence. */
    static Holder unknown(String why) {
        return new Unknown(why);
    }

    /** The holder's lease; empty when nobody holds the slot, and when that is not known. */
    default Optional<LeaseNode> lease() {
        return Optional.empty();
    }

    /** Why it is not known who holds the slot; empty when it is known. */
    default Optional<String> unknown() {
        return Optional.empty();
    }

    /** Whether this is the tenure of that nonce. */
    default boolean isTenure(String nonce) {
        return lease().filter(held -> held.nonce().equals(nonce)).isPresent();
    }

    /** Whether this is the same tenure, or nobody as before, or somebody as unknown as before. */
    default boolean isAs(Holder before) {
        return equals(before);
    }

    /** The holder, for people: {@code a on host-1 (tenure 0f8fad5b-…)}. */
    String inWords();
}
