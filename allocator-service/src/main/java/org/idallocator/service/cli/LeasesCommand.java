package org.idallocator.service.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.List;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.cli.leases.Action;
import org.idallocator.service.cli.leases.Call;
import org.idallocator.service.cli.leases.CallOptions;
import org.idallocator.service.cli.leases.LeaseReports;
import org.idallocator.service.cli.leases.LeaseTable;
import org.idallocator.service.cli.leases.NamedSlot;
import org.idallocator.service.cli.leases.ReleaseSlot;
import org.idallocator.service.cli.leases.RetireSlot;
import org.idallocator.service.cli.leases.UnretireSlot;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Confirmation;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * {@code leases list|show|release|retire|unretire|relayout}: shows who holds which slot, takes a slot away from its holder, out
 * of its pool or back into it, and changes a pool's layout.
 */
public final class LeasesCommand extends OperatorCommand {
    private static final String ACTION = "action";
    private static final String EPILOG = """
            list      all slots that were ever used, of one scheme or of all
            show      the slots of a scheme that are held, or one slot
            release   takes a slot away from its holder, who claims another
            retire    takes a slot out of its pool, and away from its holder
            unretire  puts a retired slot back into its pool
            relayout  changes a pool's layout to the configured one

            A word with a dot or a slash is the configuration file. Slots may be written without leading zeros.

            examples:
              leases list config/cluster.yml
              leases show sno --json
              leases retire eightbyte 17 --nonce 0f8fad5b-d9cb-469f-a165-70867728950e""";

    private final Confirmation confirmation;

    public LeasesCommand(SectionReader<?> reader, StandardStreams streams) {
        super(
                "leases",
                "Lists, shows, releases or retires slots, as ZooKeeper has them, or changes a pool's layout",
                reader,
                streams);
        this.confirmation = Confirmation.of(streams);
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument(ACTION).choices(Action.words()).help("what to do, see below");
        subparser.addArgument("scheme").nargs("?").help("the scheme; all actions but list need one");
        subparser.addArgument("slot").nargs("?").help("the slot; release, retire and unretire need one");
        reader().addOption(subparser);
        CallOptions.addTo(subparser);
        subparser.epilog(EPILOG);
    }

    @Override
    void run(AllocatorSection section, CommandOptions given, Output out) throws IOException {
        List<Scheme<?>> schemes = section.schemes(); // what is bad in the file is told before what is bad in the call
        Action action = given.value(ACTION, Action::of).orElseThrow();
        Call call = Call.of(action, schemes, FileArgument.words(given.namespace()));
        CallOptions options = new CallOptions(given);
        options.requireFitting(action);
        if (action.asks()) { // else a ZooKeeper would be started to ask nobody
            confirmation.requireAnybody(call.inWords(), options.agreed());
        }
        try (Ensemble ensemble = ensemble(section, action)) {
            if (!options.json()) {
                printFirst(ensemble, out);
            }
            out.write(answer(call, ensemble.settings(), options).stripTrailing() + "\n");
        }
    }

    /** A slot may be retired before any service has run. What looks starts nothing; the rest needs what a service has left. */
    private static Ensemble ensemble(AllocatorSection section, Action action) {
        return switch (action) {
            case RETIRE -> Ensemble.of(section);
            case LIST, SHOW -> Ensemble.running(section);
            case RELEASE, UNRETIRE, RELAYOUT -> Ensemble.existing(section);
        };
    }

    private String answer(Call call, AllocatorSettings settings, CallOptions options) throws IOException {
        if (call.action() == Action.RELAYOUT) {
            return relayout(settings, call.scheme().orElseThrow(), options);
        }
        try (ClusterView cluster = ClusterView.connect(settings)) {
            return call.slot().isPresent()
                    ? slot(call.action(), cluster, call.slot().get(), options)
                    : leases(call.action(), call.leases(cluster), options);
        }
    }

    private static String relayout(AllocatorSettings settings, Scheme<?> scheme, CallOptions options)
            throws JsonProcessingException {
        Relayout.Report done = Relayout.run(settings, scheme, options.fence());
        return options.json() ? json(done) : LeaseReports.relayout(scheme, done);
    }

    /** What was done to a slot, if anything, and how the slot is now. */
    private String slot(Action action, ClusterView cluster, NamedSlot slot, CallOptions options) throws IOException {
        String done = switch (action) {
            case RELEASE -> new ReleaseSlot(cluster, slot).run(options);
            case RETIRE -> new RetireSlot(cluster, slot, confirmation).run(options);
            case UNRETIRE -> new UnretireSlot(cluster, slot, confirmation).run(options);
            case LIST, SHOW, RELAYOUT -> "";
        };
        LeaseView now = cluster.lease(slot.scheme(), slot.number());
        return options.json() ? json(now) : done + LeaseReports.slot(now);
    }

    private static String leases(Action action, List<LeaseView> leases, CallOptions options)
            throws JsonProcessingException {
        if (options.json()) {
            return json(new LeaseList<>(leases));
        }
        if (leases.isEmpty()) {
            return action == Action.LIST ? "no slot was ever used" : "nobody holds a slot";
        }
        return action == Action.LIST ? LeaseTable.of(leases) : LeaseTable.withNonces(leases);
    }

    private static String json(Object value) throws JsonProcessingException {
        return AnswerMapper.get().writeValueAsString(value);
    }
}
