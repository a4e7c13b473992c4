package org.idallocator.service.cli.leases;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.terminal.NamedValues;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Retired;

/** What {@code leases} prints of one slot, and of what it did, in whole lines. */
public final class LeaseReports {
    private LeaseReports() {}

    /** All that is known of a slot, with the paths of its nodes; {@code now} tells for how long it is held. */
    public static String slot(LeaseView view, Instant now) {
        NamedValues values = new NamedValues()
                .add("slot", view.scheme() + " " + view.slot())
                .add("state", view.state())
                .add("reserved through", reservedThrough(view));
        Optional.ofNullable(view.timeLeftMillis()).ifPresent(left -> values.add("time left", Ages.of(left)));
        Optional.ofNullable(view.freeAt()).ifPresent(free -> values.add("free at", free));
        Optional.ofNullable(view.unreadable()).ifPresent(why -> values.add("unreadable", why));
        Optional.ofNullable(view.lease())
                .ifPresent(lease -> values.add(
                                "holder", lease.instance() + " on " + lease.host() + ", pid " + lease.pid())
                        .add("url", url(lease))
                        .add("nonce", lease.nonce())
                        .add("session", lease.session())
                        .add("since", lease.acquiredAt() + ", " + Ages.since(lease.acquiredAt(), now) + " ago"));
        return values.add("lease node", view.path())
                .add("record node", view.recordPath())
                .toString();
    }

    /** Of a slot without a record, nothing was ever reserved; of one whose record cannot be read, nobody knows. */
    private static Object reservedThrough(LeaseView view) {
        return Objects.requireNonNullElse(
                view.reservedThrough(),
                view.unreadable() == null ? "never used" : "not known, as a node cannot be read");
    }

    /** A node that another program wrote may lack it. */
    private static String url(LeaseNode lease) {
        String url = lease.url();
        return url == null || url.isEmpty() ? "not told" : url;
    }

    public static String retired(Retired retired) {
        StringBuilder lines = new StringBuilder("taken out of the pool\n");
        Optional.ofNullable(retired.holder())
                .ifPresent(holder ->
                        lines.append("taken away from " + holder.instance() + ", tenure " + holder.nonce() + "\n"));
        return lines.append("a holder that was cut off can issue IDs with times until " + retired.issuingUntil()
                        + "; use the slot elsewhere only after that\n")
                .toString();
    }

    /** What a person is asked who puts a slot back: one line, without the question mark. */
    public static String unretiring(String slot, Optional<Instant> usedUntil, Instant now) {
        String wait = usedUntil
                .filter(until -> until.isAfter(now))
                .map(until ->
                        "; until then the slot serves nothing, and no slot of the pool does where the layout is changed or"
                                + " lost")
                .orElse("");
        return "unretire " + slot + ", on which nothing else has issued IDs "
                + usedUntil.map(until -> "with times after " + until).orElse("while it was retired") + wait;
    }

    public static String relayout(Scheme<?> scheme, Relayout.Report done) {
        String fenced = done.fenced().isEmpty() ? "nobody held a slot" : String.join(", ", done.fenced());
        return new NamedValues()
                        .add("from", done.from())
                        .add("to", done.to())
                        .add("floor", done.floor())
                        .add("fenced", fenced)
                        .add("retired", slots(done.retired(), "still, by their numbers; those may mean other IDs now"))
                        .add("dropped", slots(done.dropped(), "which were retired and are no slots of this layout"))
                + "Replicas configured like this serve when the floor is past; no ID of " + scheme.name()
                + " has an earlier time from now on.\n";
    }

    private static String slots(List<String> names, String remark) {
        return names.isEmpty() ? "none" : "slots " + String.join(", ", names) + ", " + remark;
    }
}
