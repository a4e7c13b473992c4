package org.idallocator.service.cli.leases;

import java.io.Console;
import java.util.List;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.cli.CommandException;
import org.idallocator.service.text.SlotText;
import org.jspecify.annotations.Nullable;

/**
 * The slot that a call names.
 *
 * @param scheme a scheme with slots
 * @param number the number of the slot
 */
record SlotArgument(Scheme<?> scheme, long number) {
    static final String SCHEME = "scheme";
    static final String SLOT = "slot";
    private static final String YES = "yes";

    /** Adds scheme and slot to a subcommand that changes a slot. */
    static void addTo(Subparser subparser) {
        subparser.addArgument(SCHEME).help("a scheme with slots");
        subparser.addArgument(SLOT).help("the slot; leading zeros may be left out");
    }

    /** Adds the answer to a question that a person would be asked. */
    static void addYesTo(Subparser subparser) {
        subparser.addArgument("-y", "--" + YES).action(Arguments.storeTrue()).help("do not ask");
    }

    /** The scheme that a call names; throws {@link CommandException} when it is not configured, or has no slots. */
    static Scheme<?> scheme(List<Scheme<?>> configured, Namespace options) {
        return CommandException.read(() -> Schemes.leased(options.getString(SCHEME), configured));
    }

    /** The slot that a call names; throws {@link CommandException} when it is none of the scheme's, saying which there are. */
    static SlotArgument of(List<Scheme<?>> configured, Namespace options) {
        Scheme<?> scheme = scheme(configured, options);
        SlotPool pool = scheme.pool().orElseThrow();
        return new SlotArgument(scheme, CommandException.read(() -> SlotText.read(pool, options.getString(SLOT))));
    }

    /** Whether a person has to be asked; throws {@link CommandException} where there is no terminal to ask on. */
    boolean asks(String action, Namespace options) {
        boolean asks = !options.getBoolean(YES);
        if (asks && terminal() == null) {
            throw CommandException.misuse(action + " " + this + ": there is no terminal to ask on; agree with --yes");
        }
        return asks;
    }

    /** Asks a person; throws {@link CommandException} for any answer but y or yes. */
    static void confirm(String question) {
        Console console = terminal();
        if (console == null || !agrees(console.readLine("%s? [y/N] ", question))) {
            throw new CommandException("nothing was changed");
        }
    }

    /** Java 22 to 24 have a console in any case: where nobody is there, its answer is null, which is no yes. */
    @SuppressWarnings("SystemConsoleNull")
    private static @Nullable Console terminal() {
        return System.console();
    }

    static boolean agrees(@Nullable String answer) {
        return answer != null && answer.strip().matches("(?i)y|yes");
    }

    /** The slot's name in its pool, as ZooKeeper has that. */
    String name() {
        return scheme.pool().orElseThrow().nameOf(number);
    }

    /** The slot for people, with its scheme. */
    @Override
    public String toString() {
        return scheme.name() + " slot " + name();
    }
}
