package org.idallocator.service.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.completion.NarrowedByValue;
import org.idallocator.service.cli.leases.Action;
import org.idallocator.service.cli.leases.Call;
import org.idallocator.service.cli.leases.CallOptions;
import org.idallocator.service.cli.leases.LeaseReports;
import org.idallocator.service.cli.leases.Look;
import org.idallocator.service.cli.leases.NamedSlot;
import org.idallocator.service.cli.leases.ReleaseSlot;
import org.idallocator.service.cli.leases.RetireSlot;
import org.idallocator.service.cli.leases.Screen;
import org.idallocator.service.cli.leases.UnretireSlot;
import org.idallocator.service.cli.leases.Watch;
import org.idallocator.service.cli.leases.WatchEnd;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Confirmation;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.cli.terminal.Terminal;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * {@code leases list|show|members|release|retire|unretire|relayout}: shows who holds which slot and which replicas there are, takes a slot away from its holder, out
 * of its pool or back into it, and changes a pool's layout.
 */
public final class LeasesCommand extends OperatorCommand implements NarrowedByValue {
    private static final String ACTION = "action";
    private static final String SCHEME = "scheme";
    private static final String SLOT = "slot";
    private static final String EPILOG = """
            list      all slots that were ever used, of one scheme or of all
            show      the slots of a scheme that are held, or all of one slot,
                      with the paths of its nodes for zkCli
            members   the replicas, each with its version, its clock's offset
                      to ZooKeeper's, and its slots
            release   takes a slot away from its holder, who claims another
            retire    takes a slot out of its pool, and away from its holder
            unretire  puts a retired slot back into its pool
            relayout  changes a pool's layout to the configured one

            A word with a dot or a slash is the configuration file. Slots may be
            written without leading zeros.

            --json prints one line. Of list, and of show with a scheme alone:
              {"zookeeper":"zk1:2181", "root":"/id-allocator",
               "pools":[{"scheme", "size", "held", "free", "cooling",
                         "retired", "unreadable", "strays"}],
               "leases":[{"scheme", "slot", "state", "since",
                          "reservedThrough", "timeLeftMillis", "freeAt",
                          "lease":{"instance", "host", "pid", "url",
                                   "session", "nonce", "acquiredAt"},
                          "path", "recordPath"}]}
            Where nobody holds the slot, the lease is null. Of show with a slot:
            one of these leases. Of members:
              {"zookeeper", "root",
               "members":[{"instance", "host", "pid", "url", "session",
                           "since", "version", "clockOffsetMillis",
                           "slots":[{"scheme", "slot"}]}]}

            examples:
              leases list config/cluster.yml
              leases list --watch
              leases show sno --json
              leases members --watch=5 config/cluster.yml
              leases release sno 17 --nonce 0f8fad5b-d9cb-469f-a165-70867728950e
              leases retire eightbyte 17 --yes -c config/cluster.yml
              leases unretire eightbyte 17 --used-until 2026-01-31T12:00:00Z
              leases relayout sno --fence -c config/cluster.yml""";

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
        subparser.addArgument(SCHEME).nargs("?").help("the scheme; all actions but list and members need one");
        subparser.addArgument(SLOT).nargs("?").help("the slot; release, retire and unretire need one");
        reader().addOption(subparser);
        CallOptions.addTo(subparser);
        subparser.epilog(EPILOG);
    }

    @Override
    public String narrowing() {
        return ACTION;
    }

    @Override
    public boolean takes(String word, String dest) {
        Action action = Action.of(word);
        return switch (dest) {
            case SCHEME -> action.takesScheme();
            case SLOT -> action.takesSlot();
            default -> CallOptions.fits(action, dest);
        };
    }

    @Override
    public boolean takesValue(String word, String dest, String value) {
        return !dest.equals(SCHEME)
                || Schemes.leased(Schemes.all()).stream()
                        .anyMatch(scheme -> scheme.name().equals(value));
    }

    @Override
    void run(AllocatorSection section, CommandOptions given, Output out, Steps steps) throws IOException {
        List<Scheme<?>> schemes = section.schemes(); // what is bad in the file is told before what is bad in the call
        Action action = given.value(ACTION, Action::of).orElseThrow();
        Call call = Call.of(action, schemes, FileArgument.words(given.namespace()));
        CallOptions options = new CallOptions(given);
        options.requireFitting(action, Clock.system());
        Optional<Duration> watch = options.watch();
        if (action.asks()) { // else a ZooKeeper would be started to ask nobody
            confirmation.requireAnybody(call.inWords(), options.agreed());
        }
        if (watch.isPresent()) {
            watch(section, call, options, out, steps);
            return;
        }
        try (Ensemble ensemble = steps.awaiting(EMBEDDED, () -> ensemble(section, action))) {
            if (!options.json()) {
                printFirst(ensemble, out);
            }
            out.write(answer(call, ensemble, options, steps).stripTrailing() + "\n");
        }
    }

    private void watch(AllocatorSection section, Call call, CallOptions options, Output out, Steps steps)
            throws IOException {
        boolean screen = !options.json() && Terminal.STANDARD_OUTPUT.present();
        try (WatchEnd end = WatchEnd.prepare();
                Ensemble ensemble = steps.awaiting(EMBEDDED, () -> ensemble(section, call.action()));
                ClusterView cluster = steps.awaiting(asked(ensemble), () -> ClusterView.connect(ensemble.settings()))) {
            if (!options.json() && !screen) {
                out.write(ensemble.description() + "\n"); // whoever reads no more ends the watch
            }
            Watch watch = new Watch(
                    options.watch().orElseThrow(),
                    Optional.of(new Screen(ensemble.description(), Terminal.STANDARD_OUTPUT::size))
                            .filter(terminal -> screen),
                    options.json() ? "" : "\n",
                    out,
                    streams().err());
            watch.run(new Look(call, cluster, options.json())::now, end);
        }
    }

    /** A slot may be retired before any service has run. What looks starts nothing; the rest needs what a service has left. */
    private static Ensemble ensemble(AllocatorSection section, Action action) {
        return switch (action) {
            case RETIRE -> Ensemble.of(section);
            case LIST, SHOW, MEMBERS -> Ensemble.running(section);
            case RELEASE, UNRETIRE, RELAYOUT -> Ensemble.existing(section);
        };
    }

    private static String asked(Ensemble ensemble) {
        return ensemble.description() + ", to answer";
    }

    private String answer(Call call, Ensemble ensemble, CallOptions options, Steps steps) throws IOException {
        AllocatorSettings settings = ensemble.settings();
        String asked = asked(ensemble);
        if (call.action() == Action.RELAYOUT) {
            return steps.awaiting(asked, () -> relayout(settings, call.scheme().orElseThrow(), options));
        }
        try (ClusterView cluster = steps.awaiting(asked, () -> ClusterView.connect(settings))) {
            String done = call.action().looks() ? "" : done(call, cluster, options, steps);
            String now = steps.awaiting(asked, new Look(call, cluster, options.json())::now);
            return options.json() ? now : done + now;
        }
    }

    private static String relayout(AllocatorSettings settings, Scheme<?> scheme, CallOptions options) {
        Relayout.Report done = Relayout.run(settings, scheme, options.fence());
        return options.json() ? Look.json(done) : LeaseReports.relayout(scheme, done);
    }

    /** Does something to a slot, and says what was done. */
    private String done(Call call, ClusterView cluster, CallOptions options, Steps steps) throws IOException {
        NamedSlot slot = call.slot().orElseThrow();
        return switch (call.action()) {
            case RELEASE -> new ReleaseSlot(cluster, slot, steps).run(options);
            case RETIRE -> new RetireSlot(cluster, slot, confirmation, steps).run(options);
            case UNRETIRE -> new UnretireSlot(cluster, slot, confirmation, steps).run(options);
            case LIST, SHOW, MEMBERS, RELAYOUT ->
                throw new IllegalStateException(call.action() + " does nothing to a slot");
        };
    }
}
