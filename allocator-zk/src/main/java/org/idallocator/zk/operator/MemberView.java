package org.idallocator.zk.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.MemberNode;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * A replica whose session lives, as ZooKeeper shows it. Where its member node cannot be read, only {@code instance},
 * {@code slots} and {@code unreadable} say something.
 *
 * @param instance the replica's name
 * @param host where the replica runs
 * @param pid the replica's process ID
 * @param url where the replica answers HTTP; empty when it does not
 * @param session the replica's ZooKeeper session, in hex
 * @param since when the replica joined on this session, by its own clock
 * @param version the version of the replica's software; null where the replica does not tell
 * @param clockOffsetMillis how far the replica's clock is ahead of ZooKeeper's (negative: behind), as the replica
 *     itself measured it within the last minute; null where the replica does not tell
 * @param slots the slots that the replica holds on this session
 * @param unreadable why nothing more can be said; null for what can be read
 */
public record MemberView(
        String instance,
        @Nullable String host,
        @Nullable Long pid,
        @Nullable String url,
        @Nullable String session,
        @Nullable Instant since,
        @Nullable String version,
        @Nullable Long clockOffsetMillis,
        List<HeldName> slots,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String unreadable) {

    /** The name of a slot, and of the slot's scheme. */
    public record HeldName(String scheme, String slot) {}

    /** {@code slots} are the slots that are held on each session. */
    static MemberView of(Znodes.Found<MemberNode> found, Map<String, List<HeldName>> slots) {
        return found.fault().map(why -> unreadable(found.path(), why)).orElseGet(() -> of(found.get(), slots));
    }

    private static MemberView of(MemberNode node, Map<String, List<HeldName>> slots) {
        return new MemberView(
                node.instance(),
                node.host(),
                node.pid(),
                node.url(),
                node.session(),
                node.since(),
                node.software(),
                node.clockOffsetMillis(),
                slots.getOrDefault(String.valueOf(node.session()), List.of()),
                null);
    }

    /** Of a member node at this path that cannot be read, or may not be. */
    static MemberView unreadable(String path, StoreException fault) {
        String why = String.valueOf(fault.getMessage());
        String instance = Tree.name(path);
        return new MemberView(instance, null, null, null, null, null, null, null, List.of(), why);
    }
}
