package org.idallocator.dropwizard.cli.leases;

import java.io.Console;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.cli.CommandException;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Table;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.znode.LeaseNode;
import org.jspecify.annotations.Nullable;

/** A subcommand that does something with one slot, and then shows the slot. */
abstract class SlotCommand extends ClusterCommand {
    SlotCommand(Program<?> program, String name, String description, String example) {
        super(program, name, description, example);
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser.addArgument(SCHEME).help("a scheme with slots");
        subparser.addArgument("slot").help("the slot; leading zeros may be left out");
        super.addArguments(subparser);
    }

    /** Adds the option by which a call answers the question of {@link #confirm} beforehand. */
    static void addYes(Subparser subparser) {
        subparser.addArgument("-y", "--yes").action(Arguments.storeTrue()).help("do not ask");
    }

    /** Does what the subcommand is for; returns whole lines that say what was done. */
    abstract String execute(Cluster cluster, SlotArgument slot, Namespace options);

    @Override
    final Function<Cluster, Answer> prepare(List<Scheme<?>> schemes, Namespace options) {
        SlotArgument slot = SlotArgument.of(schemes, options);
        if (needsConfirmation(options) && terminal() == null) {
            throw CommandException.misuse(
                    getName() + " " + slot + ": there is no terminal to ask on; agree with --yes");
        }
        return cluster -> {
            String done = execute(cluster, slot, options);
            LeaseView view = cluster.view().lease(slot.scheme(), slot.number());
            return new Answer(view, done + details(view));
        };
    }

    /** Whether a person has to confirm: the subcommand has the option {@code --yes}, and the call does not. */
    static boolean needsConfirmation(Namespace options) {
        return Boolean.FALSE.equals(options.getBoolean("yes"));
    }

    /** Asks a person; throws {@link CommandException} for any answer but y or yes. */
    static void confirm(Cluster cluster, String question) {
        cluster.waiting().close();
        Console console = terminal();
        if (console == null || !agrees(console.readLine("%s? [y/N] ", question))) {
            throw new CommandException("nothing was changed");
        }
    }

    /**
     * The terminal on which a person can be asked; null unless both standard input and standard output are one. Java 22
     * to 24 would return another console by default.
     */
    @SuppressWarnings("SystemConsoleNull")
    private static @Nullable Console terminal() {
        System.setProperty("jdk.console", "java.base");
        return System.console();
    }

    static boolean agrees(@Nullable String answer) {
        return answer != null && answer.strip().matches("(?i)y|yes");
    }

    /** Everything that is known of a slot, with the paths of its nodes, in whole lines. */
    static String details(LeaseView view) {
        boolean unused = view.reservedThrough() == null && view.unreadable() == null;
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("slot", view.scheme() + " " + view.slot());
        values.put("state", view.state());
        values.put("reserved through", unused ? "never used" : view.reservedThrough());
        values.put("time left", timeLeft(view));
        values.put("free at", view.freeAt());
        values.put("unreadable", view.unreadable());
        LeaseNode lease = view.lease();
        if (lease != null) {
            values.put("holder", lease.instance() + " on " + lease.host() + ", pid " + lease.pid());
            values.put("url", lease.url());
            values.put("nonce", lease.nonce());
            values.put("session", lease.session());
            values.put("since", lease.acquiredAt());
        }
        values.put("lease node", view.path());
        values.put("record node", view.recordPath());
        return Table.details(values);
    }
}
