package org.idallocator.service.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.cli.leases.LeaseReports;
import org.idallocator.service.cli.leases.LeaseTable;
import org.idallocator.service.cli.leases.Retiring;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Confirmation;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Texts;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * {@code leases list|show|release|retire|unretire|relayout}: shows who holds which slot, takes a slot away from its holder, out
 * of its pool or back into it, and changes a pool's layout.
 */
public final class LeasesCommand extends OperatorCommand {

    private static final String LIST = "list";
    private static final String SHOW = "show";
    private static final String RELEASE = "release";
    private static final String RETIRE = "retire";
    private static final String UNRETIRE = "unretire";
    private static final String RELAYOUT = "relayout";
    private static final String USED_UNTIL = "used_until";
    private static final String JSON = "json";
    private static final String NONCE = "nonce";
    private static final String YES = "yes";
    private static final String FENCE = "fence";

    /** Actions that ask back. */
    private static final List<String> ASKING = List.of(RETIRE, UNRETIRE);

    /** Options that mean something to some actions, each with these. */
    private static final Map<String, List<String>> ACTIONS = new TreeMap<>(Map.of(
            NONCE, List.of(RELEASE, RETIRE),
            YES, ASKING,
            USED_UNTIL, List.of(UNRETIRE),
            FENCE, List.of(RELAYOUT)));

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
        subparser
                .addArgument("action")
                .choices(LIST, SHOW, RELEASE, RETIRE, UNRETIRE, RELAYOUT)
                .help("what to do, see below");
        subparser.addArgument("scheme").nargs("?").help("the scheme; all actions but list need one");
        subparser.addArgument("slot").nargs("?").help("the slot; release, retire and unretire need one");
        reader().addOption(subparser);
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help("what /leases of the admin port says: {\"leases\":[...]}, or the one slot that was named");
        subparser.addArgument("--nonce").help("release or retire the slot only if this tenure holds it, or nobody");
        subparser
                .addArgument("-y", "--yes")
                .action(Arguments.storeTrue())
                .help("retire or unretire without being asked");
        subparser
                .addArgument("--used-until")
                .dest(USED_UNTIL)
                .metavar("INSTANT")
                .help(
                        "unretire: the latest time of an ID that was issued on the slot elsewhere while it was retired; until then"
                                + " the slot serves nothing, and no slot of the pool does where the layout is changed or lost");
        subparser
                .addArgument("--fence")
                .action(Arguments.storeTrue())
                .help("relayout even if replicas hold slots; they lose them");
        subparser.epilog(EPILOG);
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, Output out) throws IOException {
        Call call =
                Call.of(section.schemes(), options); // what is bad in the file is told before what is bad in the call
        if (ASKING.contains(call.action())) { // else a ZooKeeper would be started to ask nobody
            confirmation.requireAnybody(call.inWords(), options.flag(YES));
        }
        try (Ensemble ensemble = ensemble(section, call.action())) {
            if (!options.flag(JSON)) {
                printFirst(ensemble, out);
            }
            out.write(answer(call, ensemble.settings(), options).stripTrailing() + "\n");
        }
    }

    private String answer(Call call, AllocatorSettings settings, CommandOptions options) throws IOException {
        if (call.action().equals(RELAYOUT)) {
            return relayout(settings, call.scheme().orElseThrow(), options);
        }
        try (ClusterView cluster = ClusterView.connect(settings)) {
            return call.slot().isEmpty()
                    ? leases(call.leases(cluster), call.action(), options)
                    : new OnSlot(
                                    cluster,
                                    call.scheme().orElseThrow(),
                                    call.slot().get(),
                                    options)
                            .run(call.action());
        }
    }

    /**
     * What a call asks for.
     *
     * @param served the schemes with slots, one or more
     * @param scheme the one that was named; empty for all
     * @param slot the one that was named; empty for all
     */
    private record Call(String action, List<Scheme<?>> served, Optional<Scheme<?>> scheme, Optional<Long> slot) {

        static Call of(List<Scheme<?>> configured, CommandOptions options) {
            List<Scheme<?>> served = Schemes.leased(configured);
            if (served.isEmpty()) {
                throw new CommandException("no scheme with slots is configured, only " + names(configured));
            }
            List<String> words = FileArgument.words(options.namespace());
            Optional<Scheme<?>> scheme =
                    words.stream().findFirst().map(name -> CommandOptions.read(() -> Schemes.leased(name, configured)));
            Optional<Long> slot =
                    scheme.flatMap(named -> words.stream().skip(1).findFirst().map(word -> numbered(named, word)));
            Call call = new Call(options.text("action").orElseThrow(), served, scheme, slot);
            call.requireWhatTheActionNeeds();
            call.requireNoMoreThanTheActionTakes(options);
            return call;
        }

        private void requireNoMoreThanTheActionTakes(CommandOptions options) {
            if (action.equals(RELAYOUT) && slot.isPresent()) {
                throw new UsageException("relayout takes no slot: it concerns all of "
                        + scheme.orElseThrow().name());
            }
            ACTIONS.forEach((option, actions) -> {
                if (options.given(option) && !actions.contains(action)) {
                    throw new UsageException("--" + option.replace('_', '-') + " is for "
                            + String.join(" and ", actions) + ", not for " + action);
                }
            });
        }

        /** The action, and the slot it is about; for actions on a slot. */
        String inWords() {
            return action + " " + slotName(scheme.orElseThrow(), slot.orElseThrow());
        }

        private void requireWhatTheActionNeeds() {
            if (scheme.isEmpty() && !action.equals(LIST)) {
                throw new UsageException(action + " needs a scheme: " + names(served));
            }
            if (slot.isEmpty() && List.of(RELEASE, RETIRE, UNRETIRE).contains(action)) {
                SlotPool pool = pool(scheme.orElseThrow());
                throw new UsageException(action + " needs a slot of "
                        + scheme.get().name() + ": " + pool.nameOf(0) + ".." + pool.nameOf(pool.size() - 1));
            }
        }

        /** A slot may be written without leading zeros, and its hex digits in either case. */
        private static long numbered(Scheme<?> scheme, String text) {
            SlotPool pool = pool(scheme);
            String zeros = "0".repeat(Math.max(0, pool.nameOf(0).length() - text.length()));
            boolean digits = text.matches("[0-9A-Fa-f]+");
            return CommandOptions.read(() -> pool.slotOf(digits ? zeros + text.toUpperCase(Locale.ROOT) : text));
        }

        List<LeaseView> leases(ClusterView cluster) {
            return scheme.<List<Scheme<?>>>map(List::of).orElse(served).stream()
                    .flatMap(each -> cluster.leases(each).stream())
                    .filter(view -> action.equals(LIST) || view.state() == LeaseView.State.HELD)
                    .toList();
        }
    }

    private static String names(List<Scheme<?>> schemes) {
        return String.join(", ", schemes.stream().map(Scheme::name).toList());
    }

    private static String slotName(Scheme<?> scheme, long slot) {
        return scheme.name() + " slot " + pool(scheme).nameOf(slot);
    }

    private static SlotPool pool(Scheme<?> scheme) {
        return scheme.pool().orElseThrow();
    }

    /** A slot may be retired before any service has run. What looks starts nothing; the rest needs what a service has left. */
    private static Ensemble ensemble(AllocatorSection section, String action) {
        return switch (action) {
            case RETIRE -> Ensemble.of(section);
            case LIST, SHOW -> Ensemble.running(section);
            default -> Ensemble.existing(section);
        };
    }

    private static String leases(List<LeaseView> leases, String action, CommandOptions options)
            throws JsonProcessingException {
        if (options.flag(JSON)) {
            return AnswerMapper.get().writeValueAsString(new LeaseList<>(leases));
        }
        if (leases.isEmpty()) {
            return action.equals(LIST) ? "no slot was ever used" : "nobody holds a slot";
        }
        return action.equals(LIST) ? LeaseTable.of(leases) : LeaseTable.withNonces(leases);
    }

    private static String relayout(AllocatorSettings settings, Scheme<?> scheme, CommandOptions options)
            throws JsonProcessingException {
        Relayout.Report done = Relayout.run(settings, scheme, options.flag(FENCE));
        return options.flag(JSON) ? AnswerMapper.get().writeValueAsString(done) : LeaseReports.relayout(scheme, done);
    }

    private static Instant usedUntil(String text) {
        return Texts.waitingUntil("--used-until", text, "", Clock.system());
    }

    private static Instant now() {
        return Texts.now(Clock.system());
    }

    /** One call that names a slot. */
    private final class OnSlot {
        private final ClusterView cluster;
        private final Scheme<?> scheme;
        private final long slot;
        private final CommandOptions options;

        OnSlot(ClusterView cluster, Scheme<?> scheme, long slot, CommandOptions options) {
            this.cluster = cluster;
            this.scheme = scheme;
            this.slot = slot;
            this.options = options;
        }

        String run(String action) throws IOException {
            String done = switch (action) {
                case RELEASE -> release() + "\n";
                case RETIRE -> retire();
                case UNRETIRE -> unretire();
                default -> "";
            };
            LeaseView now = cluster.lease(scheme, slot);
            return options.flag(JSON) ? AnswerMapper.get().writeValueAsString(now) : done + LeaseReports.slot(now);
        }

        private String name() {
            return slotName(scheme, slot);
        }

        private String release() {
            String tenure = options.text(NONCE).orElseGet(this::holdersNonce);
            return switch (cluster.takeAway(scheme, slot, tenure)) {
                case DONE -> "taken away from tenure " + tenure;
                case GONE_ALREADY -> "tenure " + tenure + " had left the slot already";
                case HELD_BY_ANOTHER ->
                    throw new CommandException(
                            "the slot is held by another tenure than " + tenure + "; it was left alone");
            };
        }

        private String holdersNonce() {
            Holder holder = cluster.holder(scheme, slot);
            return holder.lease()
                    .map(LeaseNode::nonce)
                    .orElseThrow(() -> new CommandException(holder.inWords() + " holds the slot"));
        }

        private String retire() throws IOException {
            requireNotRetired();
            Optional<String> nonce = options.text(NONCE);
            if (options.flag(YES)) {
                return LeaseReports.retired(cluster.retire(scheme, slot, Retiring.wanted(nonce)));
            }
            Retiring retiring = Retiring.of(name(), cluster.holder(scheme, slot), nonce);
            confirmation.require(retiring.question(), false);
            return LeaseReports.retired(cluster.retire(scheme, slot, retiring.agreed()));
        }

        /** Looks among all slots of the scheme: a record that cannot be read is no obstacle there, nor to retiring the slot. */
        private void requireNotRetired() {
            cluster.leases(scheme).stream()
                    .filter(view ->
                            view.slot().equals(pool(scheme).nameOf(slot)) && view.state() == LeaseView.State.RETIRED)
                    .findFirst()
                    .ifPresent(view -> {
                        throw new CommandException(name() + " is retired already, and reserved through "
                                + view.reservedThrough() + "; nothing was changed");
                    });
        }

        private String unretire() throws IOException {
            Optional<Instant> until = options.value(USED_UNTIL, LeasesCommand::usedUntil);
            confirmation.require(LeaseReports.unretiring(name(), until, now()), options.flag(YES));
            Instant floor = cluster.unretire(scheme, slot, until.orElse(Instant.EPOCH));
            return "back in the pool" + (floor.isAfter(now()) ? "; its next IDs have times from " + floor + " on" : "")
                    + "\n";
        }
    }
}
