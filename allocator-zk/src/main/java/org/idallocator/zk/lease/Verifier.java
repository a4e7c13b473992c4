package org.idallocator.zk.lease;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * Finds out by reading back whether slots are still their tenures'. Renewals ask for that where ZooKeeper has refused one, and on a new
 * session; the lease loop where a watch has told. Confined to the lease loop's thread.
 */
final class Verifier {
    private final Znodes nodes;
    private final TenureReader reader;

    Verifier(Znodes nodes) {
        this.nodes = nodes;
        this.reader = new TenureReader(nodes);
    }

    /**
     * Reads the slots of these tenures back. Where one is no longer ours, or may not be read, its tenure's fence trips.
     *
     * @param session the one that is to answer
     * @return what was found of each that may be read
     * @throws RolledBackException when ZooKeeper seems to have lost what one of them wrote
     * @throws StoreException when ZooKeeper does not answer, or on another session
     */
    Map<Tenure, ReadBack> verify(List<Tenure> tenures, Session session) {
        Map<Tenure, ReadBack> found =
                reader.readBack(tenures, (tenure, why) -> tenure.fence().trip(why.fenced()));
        if (!nodes.store().session().equals(session)) {
            throw StoreException.anotherSession();
        }
        found.forEach((tenure, read) -> confirmOrTrip(tenure, read, session));
        return found;
    }

    private static void confirmOrTrip(Tenure tenure, ReadBack found, Session session) {
        Optional<FenceReason> lost = found.lost(tenure, session);
        if (lost.isPresent()) {
            tenure.fence().trip(lost.get(), tenure.toString());
            return;
        }
        if (found.isLeaseOn(session) && !tenure.isOn(session)) { // the answer was lost to what made it
            tenure.takeUp(session);
            LeaseLog.takenUp(tenure);
        }
        SlotRecord record = found.record().orElseThrow().get();
        tenure.confirm(found.version().orElseThrow(), record);
    }
}
