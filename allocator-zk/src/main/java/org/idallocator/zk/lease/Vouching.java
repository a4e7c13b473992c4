package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * Finds out since when other replicas have been in contact with ZooKeeper: then whoever has just come need not wait where windows are
 * long. Each record says that of its writer ({@link SlotRecord#contactSince}). One that was written after this replica's own contact
 * began, or so short a time before it that no backup can have come back in between, is of the same history. Confined to the lease loop's
 * thread.
 */
final class Vouching {
    /** So many records are read at most, those of slots that are held before others. */
    private static final int READ_AT_MOST = 64;

    private final Znodes nodes;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private long nextNanos;

    Vouching(Znodes nodes, Clock clock, LeaderClock leaderClock) {
        this.nodes = nodes;
        this.clock = clock;
        this.leaderClock = leaderClock;
        this.nextNanos = clock.nanos();
    }

    /** Has the contact count from the earliest time that records of this pool vouch for. Reads nothing where that was done just now. */
    void ask(SlotPool pool) {
        if (clock.nanos() - nextNanos < 0) {
            return;
        }
        nextNanos = clock.nanos() + LeaseRules.LONGEST_SILENCE.toNanos();
        Contact contact = leaderClock.contact();
        Optional<Instant> earliest =
                records(pool).flatMap(found -> since(found, contact).stream()).min(Comparator.naturalOrder());
        if (leaderClock.isIn(contact)) { // all of that was read in it
            earliest.ifPresent(leaderClock::vouched);
        }
    }

    private Stream<Found<SlotRecord>> records(SlotPool pool) {
        PoolTree tree = nodes.tree().pool(pool);
        List<List<String>> children = nodes.store().childrenOfAll(List.of(tree.leases(), tree.records()));
        List<String> paths = children.stream()
                .flatMap(List::stream)
                .distinct()
                .limit(READ_AT_MOST)
                .map(tree::record)
                .toList();
        Answers answers = nodes.readAll(paths);
        return paths.stream().flatMap(path -> answers.readable(path, SlotRecord.class).stream());
    }

    /** Since when the writer of a record has been in contact with the history of this contact; empty where nobody can tell. */
    private static Optional<Instant> since(Found<SlotRecord> found, Contact contact) {
        Instant written = Instant.ofEpochMilli(found.node().leaderMillis());
        return found.readable()
                .flatMap(record -> Optional.ofNullable(record.contactSince()))
                .filter(since -> contact.hasSeen(written) && !since.isAfter(written));
    }
}
