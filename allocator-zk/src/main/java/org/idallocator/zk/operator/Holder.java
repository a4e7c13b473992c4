package org.idallocator.zk.operator;

import java.util.Optional;
import org.idallocator.zk.node.LeaseNode;

/**
 * Who holds a slot, as far as ZooKeeper said so in time.
 *
 * @param lease the holder's lease; empty when nobody holds the slot, and when that is not known
 * @param unknown why it is not known who holds the slot; empty when it is known
 */
public record Holder(Optional<LeaseNode> lease, Optional<String> unknown) {
    /** Nobody holds the slot. */
    public static final Holder NOBODY = new Holder(Optional.empty(), Optional.empty());

    static Holder of(LeaseNode lease) {
        return new Holder(Optional.of(lease), Optional.empty());
    }

    /** It is not known who holds the slot; {@code why} is one sentence. */
    public static Holder unknown(String why) {
        return new Holder(Optional.empty(), Optional.of(why));
    }
}
