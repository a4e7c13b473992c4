package org.idallocator.zk.znode;

import java.time.Instant;
import org.idallocator.zk.settings.Replica;

/**
 * The EPHEMERAL node that says who holds a slot now. People read it, and claimers leave a slot with a lease node alone.
 * {@link SlotRecord} keeps IDs apart; only the record says how far the holder has reserved.
 *
 * <p>Earlier replicas also wrote {@code reservedThrough}, only when they claimed. Readers ignore the field, and earlier
 * replicas read nodes without it.
 *
 * @param version the version that wrote this, see {@link Version}
 * @param slot the slot's name
 * @param nonce names the tenure
 * @param instance the holder's name
 * @param host where the holder runs
 * @param pid the holder's process ID
 * @param url where the holder answers HTTP; empty when it does not
 * @param session the holder's ZooKeeper session, in hex
 * @param acquiredAt when the slot was claimed, by the holder's clock
 */
public record LeaseNode(
        int version,
        String slot,
        String nonce,
        String instance,
        String host,
        long pid,
        String url,
        String session,
        Instant acquiredAt) {
    public LeaseNode {
        Bounds.text("nonce", nonce);
        Bounds.text("instance", instance);
        Bounds.text("host", host);
        Bounds.time("acquiredAt", acquiredAt);
        Bounds.shown("url", url);
        Bounds.shown("session", session);
    }

    /** What a replica writes that claims a slot on a session. */
    public static LeaseNode of(Slot slot, String nonce, Replica holder, long session, Instant acquiredAt) {
        return new LeaseNode(
                Version.FIRST,
                slot.name(),
                nonce,
                holder.instance(),
                holder.host(),
                holder.pid(),
                holder.url(),
                inHex(session),
                acquiredAt);
    }

    /** The same on another session of the holder. */
    public LeaseNode on(long other) {
        return new LeaseNode(version, slot, nonce, instance, host, pid, url, inHex(other), acquiredAt);
    }

    /** Whether the lease belongs to this session of the holder. */
    public boolean isOn(long other) {
        return session.equals(inHex(other));
    }

    /** A session as it is written everywhere, also by ZooKeeper's own tools: {@code 0x1000a2b3c4d0001}. */
    static String inHex(long session) {
        return "0x" + Long.toHexString(session);
    }
}
