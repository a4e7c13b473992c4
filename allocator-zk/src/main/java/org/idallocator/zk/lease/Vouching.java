package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Vouch;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * Finds out since when other replicas have been in contact with ZooKeeper: then whoever has just come need not wait
 * where windows are long. Each record says that of its writer ({@link Vouch}). One that was written in the history of
 * this replica's contact, and so soon after its writer had heard of ZooKeeper that no backup can have come back in
 * between, says it of the same history. An operator may say it, too. Confined to the lease loop's thread.
 */
final class Vouching {
    /** So many records are read at most for one question; the next one goes on with others. */
    private static final int READ_AT_MOST = 1_024;

    private final Znodes nodes;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private final Map<SlotPool, Asked> asked = new HashMap<>();

    Vouching(Znodes nodes, Clock clock, LeaderClock leaderClock) {
        this.nodes = nodes;
        this.clock = clock;
        this.leaderClock = leaderClock;
    }

    /**
     * That a pool was asked about.
     *
     * @param nanos when
     * @param read how many of its records were read so far, again and again in the same order
     */
    private record Asked(long nanos, int read) {}

    /**
     * Has the contact count from the earliest time that records of this pool vouch for. Reads nothing where that was
     * done just now.
     */
    void ask(SlotPool pool) {
        Asked before = asked.get(pool);
        long now = clock.nanos();
        if (before != null && now - before.nanos() < LeaseRules.LONGEST_SILENCE.toNanos()) {
            return;
        }
        int read = before == null ? 0 : before.read();
        asked.put(pool, new Asked(now, read + READ_AT_MOST));
        Contact contact = leaderClock.contact();
        Optional<Instant> earliest = vouches(pool, read).min(Comparator.naturalOrder());
        if (leaderClock.isIn(contact)) { // all of that was read in it
            earliest.ifPresent(leaderClock::vouched);
        }
    }

    /**
     * Since when nothing was lost, as an operator promises, or writers of records know. Records of slots that are held
     * come first.
     */
    private Stream<Instant> vouches(SlotPool pool, int readBefore) {
        PoolTree tree = nodes.tree().pool(pool);
        List<List<String>> children = nodes.store().childrenOfAll(List.of(tree.leases(), tree.records()));
        List<String> names = new ArrayList<>(children.get(1));
        Collections.rotate(names, names.isEmpty() ? 0 : -(readBefore % names.size()));
        List<String> paths = Stream.concat(children.get(0).stream(), names.stream())
                .distinct()
                .limit(READ_AT_MOST)
                .map(tree::record)
                .toList();
        Answers answers = nodes.readAll(
                Stream.concat(Stream.of(tree.vouch()), paths.stream()).toList());
        Stream<Instant> promised = answers.readable(tree.vouch(), Vouch.class).stream()
                .flatMap(found -> since(found, Optional::of).stream());
        Stream<Instant> known = paths.stream()
                .flatMap(path -> answers.readable(path, SlotRecord.class).stream())
                .flatMap(found -> since(found, record -> Optional.ofNullable(record.contact())).stream());
        return Stream.concat(promised, known);
    }

    /**
     * Since when the writer of a node has been in contact with the history of this replica's contact; empty where
     * nobody can tell.
     */
    private <T> Optional<Instant> since(Found<T> found, Function<T, Optional<Vouch>> contact) {
        Instant written = Instant.ofEpochMilli(found.node().leaderMillis());
        return found.readable()
                .flatMap(contact)
                .filter(vouch -> leaderClock.hasSeen(written) && isPrompt(vouch, written))
                .map(Vouch::since);
    }

    /**
     * Whether a record was written soon after its writer had heard of ZooKeeper, and so in the history that the writer
     * knew.
     */
    private static boolean isPrompt(Vouch vouch, Instant written) {
        return !vouch.since().isAfter(written) && written.isBefore(vouch.heard().plus(Contact.LONGEST_GAP));
    }
}
