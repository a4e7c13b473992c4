package org.idallocator.service.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Retired;
import org.idallocator.zk.settings.AllocatorSettings;
import org.jspecify.annotations.Nullable;

/**
 * {@code leases list|show|release|retire|relayout}: who holds what; taking a slot away, from its holder or from the pool; and
 * cutting a pool anew.
 */
public final class LeasesCommand extends OperatorCommand {

    public LeasesCommand(SectionReader<?> reader) {
        super(
                "leases",
                "Lists, shows, releases or retires slots, as ZooKeeper has them, or changes a pool's layout",
                reader);
    }

    @Override
    public void configure(Subparser subparser) {
        subparser
                .addArgument("action")
                .choices("list", "show", "release", "retire", "relayout")
                .help("what to do");
        subparser.addArgument("scheme").nargs("?").help("of this scheme; all but list need it");
        subparser.addArgument("slot").nargs("?").help("this slot; show, release and retire need it");
        subparser.addArgument("--nonce").help("release only this tenure");
        subparser
                .addArgument("--fence")
                .action(Arguments.storeTrue())
                .help("relayout although replicas hold slots, which they lose");
        reader().addOption(subparser);
    }

    @Override
    void run(AllocatorSection section, Namespace namespace, PrintStream out) {
        List<Scheme<?>> schemes = schemes(section, Optional.ofNullable(namespace.getString("scheme")));
        try (Ensemble ensemble = ensemble(section, namespace.getString("action"))) {
            if (namespace.getString("action").equals("relayout")) {
                relayout(ensemble.settings(), one(schemes), namespace.getBoolean("fence"), out);
                return;
            }
            try (ClusterView cluster = ClusterView.connect(ensemble.settings())) {
                run(cluster, schemes, namespace, out);
            }
        }
    }

    private static void run(ClusterView cluster, List<Scheme<?>> schemes, Namespace namespace, PrintStream out) {
        if (namespace.getString("action").equals("list")) {
            list(cluster, schemes, out);
            return;
        }
        Scheme<?> scheme = one(schemes);
        long slot = slot(scheme, namespace.getString("slot"));
        switch (namespace.getString("action")) {
            case "release" -> release(cluster, scheme, slot, Optional.ofNullable(namespace.getString("nonce")), out);
            case "retire" -> retire(cluster.retire(scheme, slot), out);
            default -> {}
        }
        show(cluster.lease(scheme, slot), out);
    }

    /** A slot may be retired before a service runs; nothing else has a place where none has run. */
    private static Ensemble ensemble(AllocatorSection section, String action) {
        return action.equals("retire") ? Ensemble.of(section) : Ensemble.existing(section);
    }

    private static List<Scheme<?>> schemes(AllocatorSection section, Optional<String> name) {
        List<Scheme<?>> leased = section.schemes().stream()
                .filter(scheme -> scheme.pool().isPresent())
                .toList();
        List<Scheme<?>> chosen = leased.stream()
                .filter(scheme -> name.isEmpty() || name.get().equals(scheme.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw new CommandException("no scheme with slots is called " + name.orElse("") + "; there are "
                    + String.join(", ", leased.stream().map(Scheme::name).toList()));
        }
        return chosen;
    }

    private static Scheme<?> one(List<Scheme<?>> schemes) {
        if (schemes.size() != 1) {
            throw new CommandException("name a scheme and a slot");
        }
        return schemes.get(0);
    }

    private static long slot(Scheme<?> scheme, @Nullable String name) {
        SlotPool pool = scheme.pool().orElseThrow();
        if (name == null) {
            throw new CommandException("name a slot of " + scheme.name() + ", such as " + pool.nameOf(0));
        }
        try {
            return pool.slotOf(name);
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    private static void list(ClusterView cluster, List<Scheme<?>> schemes, PrintStream out) {
        List<LeaseView> leases = schemes.stream()
                .flatMap(scheme -> cluster.leases(scheme).stream())
                .toList();
        out.println(AsciiTable.getTable(
                leases,
                List.of(
                        column("scheme", LeaseView::scheme),
                        column("slot", LeaseView::slot),
                        column("state", view -> view.state().toString()),
                        column("holder", view -> ofLease(view, LeaseNode::instance)),
                        column("reserved through", LeasesCommand::through),
                        column("nonce", view -> ofLease(view, LeaseNode::nonce)))));
    }

    private static ColumnData<LeaseView> column(String header, Function<LeaseView, String> value) {
        return new Column().header(header).dataAlign(HorizontalAlign.LEFT).with(value);
    }

    private static String through(LeaseView view) {
        return Objects.requireNonNullElse(view.unreadable(), String.valueOf(view.reservedThrough()));
    }

    private static String ofLease(LeaseView view, Function<LeaseNode, String> value) {
        return view.lease() == null ? "" : value.apply(view.lease());
    }

    private static void release(
            ClusterView cluster, Scheme<?> scheme, long slot, Optional<String> nonce, PrintStream out) {
        String tenure = nonce.or(() ->
                        Optional.ofNullable(cluster.lease(scheme, slot).lease()).map(LeaseNode::nonce))
                .orElseThrow(() -> new CommandException("nobody holds the slot"));
        switch (cluster.takeAway(scheme, slot, tenure)) {
            case DONE -> out.println("taken away from tenure " + tenure);
            case GONE_ALREADY -> out.println("tenure " + tenure + " had left the slot already");
            case HELD_BY_ANOTHER ->
                throw new CommandException("the slot is held by another tenure than " + tenure + "; it was left alone");
        }
    }

    private static void retire(Retired retired, PrintStream out) {
        out.println("taken out of the pool");
        Optional.ofNullable(retired.holder())
                .ifPresent(
                        holder -> out.println("taken away from " + holder.instance() + ", tenure " + holder.nonce()));
        Optional.ofNullable(retired.issuingUntil())
                .ifPresent(until -> out.println("its holder can have issued IDs with times until " + until
                        + ", if it was cut off; use the slot elsewhere only after that"));
    }

    private static void relayout(AllocatorSettings settings, Scheme<?> scheme, boolean fence, PrintStream out) {
        Relayout.Report report = Relayout.run(settings, scheme, fence);
        out.println("from:    " + report.from());
        out.println("to:      " + report.to());
        out.println("floor:   " + report.floor());
        out.println(
                "fenced:  " + (report.fenced().isEmpty() ? "nobody held a slot" : String.join(", ", report.fenced())));
        out.println("retired: " + named(report.retired(), ", still, by their numbers; those may mean other IDs now"));
        out.println("dropped: " + named(report.dropped(), ", which were retired and are no slots of this layout"));
        out.println("Replicas configured like this serve when the floor is past; no ID of " + scheme.name()
                + " has an earlier time from now on.");
    }

    private static String named(List<String> slots, String what) {
        return slots.isEmpty() ? "none" : "slots " + String.join(", ", slots) + what;
    }

    private static void show(LeaseView view, PrintStream out) {
        out.println("slot:             " + view.scheme() + " " + view.slot());
        out.println("state:            " + view.state());
        out.println("reserved through: " + (view.reservedThrough() == null ? "never used" : view.reservedThrough()));
        Optional.ofNullable(view.lease()).ifPresent(lease -> {
            out.println("holder:           " + lease.instance() + " on " + lease.host() + ", pid " + lease.pid());
            out.println("url:              " + lease.url());
            out.println("nonce:            " + lease.nonce());
            out.println("acquired at:      " + lease.acquiredAt());
        });
    }
}
