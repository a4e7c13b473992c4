package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * Finds out by reading back whether slots are still their tenures'. Renewals ask for that where ZooKeeper has refused one, and the lease
 * loop where a watch has told. Confined to the lease loop's thread.
 */
final class Verifier {
    private final TenureReader reader;

    Verifier(Znodes nodes) {
        this.reader = new TenureReader(nodes);
    }

    /**
     * Reads the slots of these tenures back. Where one is no longer ours, or may not be read, its tenure's fence trips.
     *
     * @throws RolledBackException when ZooKeeper seems to have lost what one of them wrote
     * @throws StoreException when ZooKeeper does not answer
     */
    void verify(List<Tenure> tenures) {
        reader.readBack(tenures, (tenure, why) -> tenure.fence().trip(why.fenced()))
                .forEach(Verifier::confirmOrTrip);
    }

    private static void confirmOrTrip(Tenure tenure, ReadBack found) {
        Optional<FenceReason> lost = found.lost(tenure);
        if (lost.isPresent()) {
            tenure.fence().trip(lost.get(), tenure.toString());
            return;
        }
        SlotRecord record = found.record().orElseThrow().get();
        tenure.confirm(found.version().orElseThrow(), record);
    }
}
