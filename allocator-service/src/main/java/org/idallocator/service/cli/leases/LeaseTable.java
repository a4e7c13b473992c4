package org.idallocator.service.cli.leases;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;

/** Many slots as a table, a line each, below a line that names the columns. */
public final class LeaseTable {
    private LeaseTable() {}

    /** All that a person wants to see of each slot. */
    public static String of(List<LeaseView> leases) {
        return table(leases, columns());
    }

    /** The same, with the names of tenures, by which {@code release} and {@code retire} know them. */
    public static String withNonces(List<LeaseView> leases) {
        List<ColumnData<LeaseView>> columns = new ArrayList<>(columns());
        columns.add(column("NONCE", view -> ofLease(view, LeaseNode::nonce)));
        return table(leases, columns);
    }

    private static List<ColumnData<LeaseView>> columns() {
        return List.of(
                column("SCHEME", LeaseView::scheme),
                column("SLOT", LeaseView::slot),
                column("STATE", view -> view.state().toString()),
                column("HOLDER", view -> ofLease(view, LeaseNode::instance)),
                column("HOST", view -> ofLease(view, LeaseNode::host)),
                column("PID", view -> ofLease(view, lease -> Long.toString(lease.pid()))),
                column("SINCE", view -> ofLease(view, lease -> time(lease.acquiredAt()))),
                column("RESERVED THROUGH", LeaseTable::reservedThrough));
    }

    private static String table(List<LeaseView> leases, List<ColumnData<LeaseView>> columns) {
        return AsciiTable.getTable(AsciiTable.NO_BORDERS, leases, columns)
                .lines()
                .map(line -> line.substring(1).stripTrailing()) // without the place of a border
                .collect(Collectors.joining("\n"));
    }

    private static ColumnData<LeaseView> column(String header, Function<LeaseView, String> value) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(value);
    }

    /** Of a slot that cannot be read, the reason why. */
    private static String reservedThrough(LeaseView view) {
        return Optional.ofNullable(view.unreadable())
                .or(() -> Optional.ofNullable(view.reservedThrough()).map(LeaseTable::time))
                .orElse("");
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String ofLease(LeaseView view, Function<LeaseNode, String> value) {
        return view.lease() == null ? "" : value.apply(view.lease());
    }
}
