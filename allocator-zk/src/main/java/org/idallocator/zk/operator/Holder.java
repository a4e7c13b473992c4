package org.idallocator.zk.operator;

import java.util.Optional;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Znodes;

/**
 * Who holds a slot, as far as ZooKeeper said so in time.
 *
 * @param lease the holder's lease; empty when nobody holds the slot, and when that is not known
 * @param unknown why it is not known who holds the slot; empty when it is known
 */
public record Holder(Optional<LeaseNode> lease, Optional<String> unknown) {
    /** Nobody holds the slot. */
    public static final Holder NOBODY = new Holder(Optional.empty(), Optional.empty());

    /** What the lease node says. */
    static Holder of(Znodes.Found<LeaseNode> lease) {
        return new Holder(lease.readable(), Optional.ofNullable(lease.fault()).map(Throwable::getMessage));
    }

    /** Whether this is the tenure of that nonce. */
    public boolean isTenure(String nonce) {
        return lease.filter(held -> held.nonce().equals(nonce)).isPresent();
    }

    /** Whether this is the same tenure, or nobody as before, or somebody as unknown as before. */
    public boolean isAs(Holder before) {
        return lease.map(LeaseNode::nonce).equals(before.lease.map(LeaseNode::nonce)) && unknown.equals(before.unknown);
    }

    /** The holder, for people: {@code a on host-1 (tenure 0f8fad5b-…)}. */
    public String inWords() {
        return lease.map(held -> held.instance() + " on " + held.host() + " (tenure " + held.nonce() + ")")
                .or(() -> unknown.map(why -> "somebody unknown (" + why + ")"))
                .orElse("nobody");
    }

    /** It is not known who holds the slot; {@code why} is one sentence. */
    public static Holder unknown(String why) {
        return new Holder(Optional.empty(), Optional.of(why));
    }
}
