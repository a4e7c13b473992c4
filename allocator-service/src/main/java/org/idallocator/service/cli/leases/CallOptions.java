package org.idallocator.service.cli.leases;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Texts;
import org.idallocator.service.cli.terminal.UsageException;

/** The options of a call. */
public record CallOptions(CommandOptions given) {
    private static final String USED_UNTIL = "used_until";
    private static final String JSON = "json";
    private static final String NONCE = "nonce";
    private static final String YES = "yes";
    private static final String FENCE = "fence";
    private static final String WATCH = "watch";
    private static final String USUAL_SECONDS = "2";
    private static final int MOST_SECONDS = 3_600;

    /** Options that mean something to some actions, each with these. */
    private static final Map<String, List<Action>> ACTIONS = new TreeMap<>(Map.of(
            NONCE, List.of(Action.RELEASE, Action.RETIRE),
            YES, List.of(Action.RETIRE, Action.UNRETIRE),
            USED_UNTIL, List.of(Action.UNRETIRE),
            FENCE, List.of(Action.RELAYOUT),
            WATCH, List.of(Action.LIST, Action.SHOW, Action.MEMBERS)));

    /** Adds the options to the command. */
    public static void addTo(Subparser subparser) {
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help("print one line of JSON, as /leases or /fleet of the admin port does, see below");
        subparser
                .addArgument("--watch")
                .nargs("?")
                .setConst(USUAL_SECONDS)
                .metavar("SECONDS")
                .help(
                        "list, show or members: look again every so many seconds, 1..3600, by default 2, until Ctrl-C ends it; with"
                                + " --json, a line each time");
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
    }

    /** Whether the option that is looked for under this name means something to the action. */
    public static boolean fits(Action action, String option) {
        return ACTIONS.getOrDefault(option, List.of(action)).contains(action);
    }

    /**
     * Throws {@link UsageException} when an option was given that means nothing to the action, or says no time that may be meant, before
     * anybody is asked.
     */
    public void requireFitting(Action action, Clock clock) {
        ACTIONS.forEach((option, actions) -> {
            if (given.given(option) && !fits(action, option)) {
                throw new UsageException("--" + option.replace('_', '-') + " is for "
                        + actions.stream().map(Action::toString).collect(Collectors.joining(" and ")) + ", not for "
                        + action);
            }
        });
        var unused = usedUntil(clock);
    }

    /** Whether to print JSON. */
    public boolean json() {
        return given.flag(JSON);
    }

    /**
     * How long to wait before looking again; empty where to look once.
     *
     * @throws UsageException for what is no such number
     */
    public Optional<Duration> watch() {
        return given.text(WATCH).map(CallOptions::seconds);
    }

    private static Duration seconds(String text) {
        int seconds = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (seconds < 1 || seconds > MOST_SECONDS) {
            throw new UsageException("--watch must be 1..3600 whole seconds: " + text
                    + "; where something else follows, write --watch=" + USUAL_SECONDS);
        }
        return Duration.ofSeconds(seconds);
    }

    /** The only tenure that may lose the slot; empty for any. */
    Optional<String> nonce() {
        return given.text(NONCE);
    }

    /** Whether the person has agreed already. */
    public boolean agreed() {
        return given.flag(YES);
    }

    /** Until when others may have issued IDs on the slot; throws {@link UsageException} for what is no such time. */
    Optional<Instant> usedUntil(Clock clock) {
        return given.value(USED_UNTIL, text -> Texts.waitingUntil("--used-until", text, "", clock));
    }

    /** Whether replicas may lose their slots by a change of the layout. */
    public boolean fence() {
        return given.flag(FENCE);
    }
}
