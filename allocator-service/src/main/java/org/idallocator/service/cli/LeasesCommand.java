package org.idallocator.service.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.cli.leases.LeaseReports;
import org.idallocator.service.cli.leases.LeaseTable;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Relayout;

/**
 * {@code leases list|show|release|retire|relayout}: shows who holds which slot, takes a slot away from its holder or out of its
 * pool, and changes a pool's layout.
 */
public final class LeasesCommand extends OperatorCommand {

    private static final String LIST = "list";
    private static final String SHOW = "show";
    private static final String RELEASE = "release";
    private static final String RETIRE = "retire";
    private static final String RELAYOUT = "relayout";

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
                .choices(LIST, SHOW, RELEASE, RETIRE, RELAYOUT)
                .help("what to do");
        subparser.addArgument("scheme").nargs("?").help("the scheme; all actions but list need one");
        subparser.addArgument("slot").nargs("?").help("the slot; show, release and retire need one");
        subparser.addArgument("--nonce").help("release the slot only if this tenure holds it");
        subparser
                .addArgument("--fence")
                .action(Arguments.storeTrue())
                .help("relayout even if replicas hold slots; they lose them");
        reader().addOption(subparser);
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, PrintStream out) {
        String action = options.text("action").orElseThrow();
        List<Scheme<?>> schemes = schemes(section, options);
        try (Ensemble ensemble = ensemble(section, action)) {
            if (action.equals(RELAYOUT)) {
                Scheme<?> scheme = one(schemes);
                Relayout.Report report = Relayout.run(ensemble.settings(), scheme, options.flag("fence"));
                out.println(ensemble.description());
                out.print(LeaseReports.relayout(scheme, report));
                return;
            }
            try (ClusterView cluster = ClusterView.connect(ensemble.settings())) {
                String answer = action.equals(LIST)
                        ? LeaseTable.of(leases(cluster, schemes)) + "\n"
                        : onSlot(action, cluster, one(schemes), options);
                out.println(ensemble.description());
                out.print(answer);
            }
        }
    }

    /** A slot may be retired before any service has run. What looks starts nothing; the rest needs what a service has left. */
    private static Ensemble ensemble(AllocatorSection section, String action) {
        return switch (action) {
            case RETIRE -> Ensemble.of(section);
            case LIST, SHOW -> Ensemble.running(section);
            default -> Ensemble.existing(section);
        };
    }

    /** The scheme that was named, or else all that have slots. */
    private static List<Scheme<?>> schemes(AllocatorSection section, CommandOptions options) {
        List<Scheme<?>> schemes = section.schemes(); // a bad option of the file's, not of the call's
        if (Schemes.leased(schemes).isEmpty()) {
            throw new CommandException("no scheme with slots is configured, only "
                    + schemes.stream().map(Scheme::name).collect(Collectors.joining(", ")));
        }
        return options.value("scheme", name -> Schemes.leased(name, schemes))
                .<List<Scheme<?>>>map(List::of)
                .orElseGet(() -> Schemes.leased(schemes));
    }

    /** The one scheme that was named. */
    private static Scheme<?> one(List<Scheme<?>> schemes) {
        if (schemes.size() != 1) {
            throw new CommandException("name a scheme and a slot");
        }
        return schemes.get(0);
    }

    private static List<LeaseView> leases(ClusterView cluster, List<Scheme<?>> schemes) {
        return schemes.stream()
                .flatMap(scheme -> cluster.leases(scheme).stream())
                .toList();
    }

    private static String onSlot(String action, ClusterView cluster, Scheme<?> scheme, CommandOptions options) {
        long slot = slot(scheme, options);
        String done = switch (action) {
            case RELEASE -> release(cluster, scheme, slot, options.text("nonce")) + "\n";
            case RETIRE -> LeaseReports.retired(cluster.retire(scheme, slot));
            default -> "";
        };
        return done + LeaseReports.slot(cluster.lease(scheme, slot));
    }

    private static long slot(Scheme<?> scheme, CommandOptions options) {
        SlotPool pool = scheme.pool().orElseThrow();
        return options.value("slot", pool::slotOf)
                .orElseThrow(
                        () -> new CommandException("name a slot of " + scheme.name() + ", such as " + pool.nameOf(0)));
    }

    private static String release(ClusterView cluster, Scheme<?> scheme, long slot, Optional<String> nonce) {
        String tenure = nonce.or(() -> holder(cluster, scheme, slot))
                .orElseThrow(() -> new CommandException("nobody holds the slot"));
        return switch (cluster.takeAway(scheme, slot, tenure)) {
            case DONE -> "taken away from tenure " + tenure;
            case GONE_ALREADY -> "tenure " + tenure + " had left the slot already";
            case HELD_BY_ANOTHER ->
                throw new CommandException("the slot is held by another tenure than " + tenure + "; it was left alone");
        };
    }

    private static Optional<String> holder(ClusterView cluster, Scheme<?> scheme, long slot) {
        return Optional.ofNullable(cluster.lease(scheme, slot).lease()).map(LeaseNode::nonce);
    }
}
