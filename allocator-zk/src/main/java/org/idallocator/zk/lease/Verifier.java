package org.idallocator.zk.lease;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * Finds out by reading back whether slots are still their tenures'. Renewals ask for that where ZooKeeper has refused
 * one, on a new session, and after a long silence; the lease loop where a watch has told. Confined to the lease loop's
 * thread.
 */
final class Verifier {
    private final Znodes nodes;
    private final LeaderClock leaderClock;
    private final TenureReader reader;

    /** {@code leaderClock} tells whether what was read is of the history that is known. */
    Verifier(Znodes nodes, LeaderClock leaderClock) {
        this.nodes = nodes;
        this.leaderClock = leaderClock;
        this.reader = new TenureReader(nodes);
    }

    /**
     * Reads the slots of these tenures back. Where one is no longer ours, or may not be read, its tenure's fence trips.
     *
     * @param session the one that is to answer
     * @return what was found of each that may be read
     * @throws RolledBackException when ZooKeeper seems to have lost what one of them wrote
     * @throws ChangedMeanwhileException when ZooKeeper was silent for long while this read
     * @throws StoreException when ZooKeeper does not answer, or on another session
     */
    Map<Tenure, ReadBack> verify(List<Tenure> tenures, Session session) {
        Contact contact = leaderClock.makeContact(nodes);
        Map<Tenure, ReadBack> found =
                reader.readBack(tenures, (tenure, why) -> tenure.fence().trip(why.fenced()));
        if (!nodes.store().session().equals(session)) {
            throw StoreException.anotherSession();
        }
        if (!leaderClock.isIn(contact)) {
            throw new ChangedMeanwhileException("ZooKeeper was silent for long while slots were read back");
        }
        found.forEach((tenure, read) -> confirmOrTrip(tenure, read, session, contact));
        return found;
    }

    private void confirmOrTrip(Tenure tenure, ReadBack found, Session session, Contact contact) {
        Optional<FenceReason> lost = found.lost(tenure, session).or(() -> mayBeForgotten(tenure, found, contact));
        if (lost.isPresent()) {
            tenure.fence().trip(lost.get(), tenure.toString());
            return;
        }
        tenure.goOnIn(contact);
        if (found.isLeaseOn(session) && !tenure.isOn(session)) { // the answer was lost to what made it
            tenure.takeUp(session);
            LeaseLog.takenUp(tenure);
        }
        SlotRecord record = found.record().orElseThrow().get();
        tenure.confirm(found.version().orElseThrow(), record);
    }

    /**
     * After a long silence, the record may have come back with a backup. If all that the tenure reserves is past,
     * somebody may have claimed the slot who is forgotten now.
     */
    private Optional<FenceReason> mayBeForgotten(Tenure tenure, ReadBack found, Contact contact) {
        if (tenure.isIn(contact)) {
            return Optional.empty();
        }
        long reserved = Math.max(
                tenure.fence().ceilingTick(), found.record().orElseThrow().get().ceiling());
        long latest = tenure.slot().unit().tickAt(leaderClock.latestMicros() + Contact.LEADERS_APART.toNanos() / 1_000);
        return latest < reserved ? Optional.empty() : Optional.of(FenceReason.CEILING_PASSED);
    }
}
