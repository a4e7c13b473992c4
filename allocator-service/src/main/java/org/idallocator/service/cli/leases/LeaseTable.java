package org.idallocator.service.cli.leases;

import static org.idallocator.service.cli.leases.Tables.column;

import com.github.freva.asciitable.ColumnData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;

/** Many slots as a table. */
public final class LeaseTable {
    private LeaseTable() {}

    /** All that a person wants to see of each slot; {@code now} tells for how long each is held. */
    public static String of(List<LeaseView> leases, Instant now) {
        return Tables.table(leases, columns(now));
    }

    /** The same, with the names of tenures, by which {@code release} and {@code retire} know them. */
    public static String withNonces(List<LeaseView> leases, Instant now) {
        List<ColumnData<LeaseView>> columns = new ArrayList<>(columns(now));
        columns.add(column("NONCE", view -> ofLease(view, LeaseNode::nonce)));
        return Tables.table(leases, columns);
    }

    private static List<ColumnData<LeaseView>> columns(Instant now) {
        return List.of(
                column("SCHEME", LeaseView::scheme),
                column("SLOT", LeaseView::slot),
                column("STATE", view -> view.state().toString()),
                column("HOLDER", view -> ofLease(view, LeaseNode::instance)),
                column("HOST", view -> ofLease(view, LeaseNode::host)),
                column("PID", view -> ofLease(view, lease -> Long.toString(lease.pid()))),
                column("SINCE", view -> Tables.time(view.since())),
                column("AGE", view -> Ages.since(view.since(), now)),
                column("RESERVED THROUGH", LeaseTable::reservedThrough),
                column("TIME LEFT", view -> Ages.of(view.timeLeftMillis())));
    }

    /** Of a slot that cannot be read, the reason why. */
    private static String reservedThrough(LeaseView view) {
        return Optional.ofNullable(view.unreadable()).orElseGet(() -> Tables.time(view.reservedThrough()));
    }

    private static String ofLease(LeaseView view, Function<LeaseNode, String> value) {
        return view.lease() == null ? "" : value.apply(view.lease());
    }
}
