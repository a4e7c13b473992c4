package org.idallocator.service.cli.leases;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;

/** Many slots as a table, a row each. */
public final class LeaseTable {
    private LeaseTable() {}

    public static String of(List<LeaseView> leases) {
        return AsciiTable.getTable(
                leases,
                List.of(
                        column("scheme", LeaseView::scheme),
                        column("slot", LeaseView::slot),
                        column("state", view -> view.state().toString()),
                        column("holder", view -> ofLease(view, LeaseNode::instance)),
                        column("reserved through", LeaseTable::reservedThrough),
                        column("nonce", view -> ofLease(view, LeaseNode::nonce))));
    }

    private static ColumnData<LeaseView> column(String header, Function<LeaseView, String> value) {
        return new Column().header(header).dataAlign(HorizontalAlign.LEFT).with(value);
    }

    /** Of a slot that cannot be read, the reason why. */
    private static String reservedThrough(LeaseView view) {
        return Objects.requireNonNullElse(view.unreadable(), String.valueOf(view.reservedThrough()));
    }

    private static String ofLease(LeaseView view, Function<LeaseNode, String> value) {
        return view.lease() == null ? "" : value.apply(view.lease());
    }
}
