package org.idallocator.zk.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Software;
import org.idallocator.zk.settings.Terms;
import org.jspecify.annotations.Nullable;

/**
 * The EPHEMERAL node of a replica, for people. Its writing also tells the replica ZooKeeper's time.
 *
 * @param version the version that wrote this, see {@link Version}
 * @param instance the replica's name
 * @param host where the replica runs
 * @param pid the replica's process ID
 * @param url where the replica answers HTTP; empty when it does not
 * @param session the replica's ZooKeeper session, in hex
 * @param since when the replica joined, by its own clock
 * @param software the version of the replica's software; null of earlier replicas, which did not tell
 * @param knows the latest shape version that the replica's software knows; null of earlier replicas, which know 2 at
 *     most
 * @param clockOffsetMillis how far the replica's clock was ahead of ZooKeeper's (negative: behind) when it last wrote
 *     this; null where the replica did not know yet
 */
public record MemberNode(
        int version,
        String instance,
        String host,
        long pid,
        String url,
        String session,
        Instant since,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String software,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer knows,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long clockOffsetMillis) {
    public MemberNode {
        Bounds.text("instance", instance);
        Bounds.text("host", host);
        Bounds.time("since", since);
        Bounds.shown("url", url);
        Bounds.shown("software", software);
    }

    /**
     * Whether the replica's software understands pools whose windows are above {@link Terms#LONGEST_UNDECLARED_WINDOW}.
     */
    public boolean knowsLongWindows() {
        return knows != null && knows >= Version.OF_CONTACTS;
    }

    /** What a replica of this software tells of itself. */
    public static MemberNode of(Replica replica, long session, Instant since, Optional<Duration> clockOffset) {
        return new MemberNode(
                Version.FIRST,
                replica.instance(),
                replica.host(),
                replica.pid(),
                replica.url(),
                LeaseNode.inHex(session),
                since,
                Software.VERSION,
                Version.OURS,
                clockOffset.map(Duration::toMillis).orElse(null));
    }
}
